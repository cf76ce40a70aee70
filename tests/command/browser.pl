# SPDX-License-Identifier: GPL-2.0-or-later
#
# browser.pl FOLDER SCRIPT <NAMES: looks at pictures, and works with pages as a
# person does, in Chromium.  Commands go to that through a pipe, in its DevTools
# protocol: JSON, with a 0 byte after each message.  A name is that of a file in
# FOLDER, of which NAME.html is a page and NAME.svg a picture.  What a page has
# to show is read from NAME.lump, the BLOCKMAP, and NAME.json, the report of
# verify.  SCRIPT is browser.js.  Prints what is wrong; ends with 0 if nothing
# is.

use strict;
use warnings;
use Fcntl;
use IO::Handle;
use JSON::PP;
use List::Util qw(sum min max);
use POSIX ();

my ($folder, $script) = @ARGV;
my ($width, $narrow, $height) = (1200, 400, 800);
my $page;
my @faults;

# The prototype has a match that fails be false rather than an empty list.
sub expect($$) {
    my ($good, $what) = @_;
    push @faults, "$page: $what" unless $good;
    return $good;
}

sub read_file {
    open(my $file, '<:raw', "$folder/$_[0]") or die "$_[0]: $!";
    local $/;
    return scalar <$file>;
}

# --- The browser ---

# The browser reads from descriptor 3 and writes to 4.
pipe(my $from_us, my $to_browser) or die "pipe: $!";
pipe(my $from_browser, my $to_us) or die "pipe: $!";
my $browser = fork // die "fork: $!";
if ($browser == 0) {
    open(STDERR, '>', "$folder/errors-of-browser") or die "errors: $!";
    # First out of the way, for neither to be closed by the other.
    my ($in, $out) = map { fcntl($_, F_DUPFD, 10) } $from_us, $to_us;
    POSIX::dup2($in, 3);
    POSIX::dup2($out, 4);
    exec('chromium', qw(--headless --no-sandbox --disable-gpu
        --remote-debugging-pipe --no-first-run --hide-scrollbars
        --disable-dev-shm-usage --disk-cache-size=1),
        "--window-size=$width,$height",
        "--user-data-dir=$folder/browser", 'about:blank')
        or die "chromium: $!";
}
close $from_us;
close $to_us;
binmode $to_browser;
binmode $from_browser;
$to_browser->autoflush(1);

my $json = JSON::PP->new->utf8;
my $last_id = 0;
my $session;

# call METHOD, PARAMETERS: has the browser do it, and waits for its answer.
sub call {
    my ($method, %parameters) = @_;
    my $id = ++$last_id;
    print $to_browser $json->encode({
        id => $id, method => $method, params => \%parameters,
        $session ? (sessionId => $session) : ()}), "\0";
    local $/ = "\0";
    while (1) {
        chomp(my $text = <$from_browser> // die "the browser has ended");
        my $message = $json->decode($text);
        my $event = $message->{method} // '';
        push @faults, "$page: " . $json->encode($message)
            if $event =~ /^(?:Log\.|Runtime\.(?:exception|console))/ ||
            $event eq 'Network.requestWillBeSent' &&
            $message->{params}{request}{url} !~ /^file:.*\Q$page\E$/;
        next unless ($message->{id} // 0) == $id;
        die "$method: $message->{error}{message}" if $message->{error};
        return $message->{result};
    }
}

# ask SCRIPT: what a script gives, at once.
sub ask {
    my ($script) = @_;
    my $result = call('Runtime.evaluate', returnByValue => JSON::PP::true,
        awaitPromise => JSON::PP::true, expression => $script);
    die "$script: " . $json->encode($result->{exceptionDetails})
        if $result->{exceptionDetails};
    return $result->{result}{value};
}

# What a script gives when the page is drawn, which takes time.
sub see {
    return ask("new Promise(done => requestAnimationFrame(() => " .
        "requestAnimationFrame(() => done($_[0]))))");
}

sub resize {
    call('Emulation.setDeviceMetricsOverride', width => $_[0],
        height => $height, deviceScaleFactor => 1, mobile => JSON::PP::false);
    for (1 .. 3000) {
        last if see('innerWidth') == $_[0];
        select undef, undef, undef, 0.1;
    }
}

sub open_page {
    $session = undef;
    my $target = call('Target.createTarget', url => 'about:blank');
    $session = call('Target.attachToTarget', flatten => JSON::PP::true,
        targetId => $target->{targetId})->{sessionId};
    call("$_.enable") for qw(Runtime Page Log Network);
    resize($width);
    call('Page.navigate', url => "file://$folder/$page");
    for (1 .. 3000) {
        last if ask('document.readyState') eq 'complete' &&
            ask('location.href') =~ /\Q$page\E$/;
        select undef, undef, undef, 0.1;
    }
    open(my $file, '<', $script) or die "$script: $!";
    local $/;
    ask('window.tests = (() => {' . <$file> .
        'return {misplaced, picture, brightness}; })(); 0');
    return $target->{targetId};
}

# --- A person ---

sub mouse {
    my ($type, $x, $y, %more) = @_;
    call('Input.dispatchMouseEvent', type => $type, x => $x, y => $y, %more);
}

my %key_codes = (Enter => 13, Escape => 27, Tab => 9, ArrowLeft => 37,
    ArrowUp => 38, ArrowRight => 39, ArrowDown => 40);

sub press {
    my ($key) = @_;
    my %event = (key => $key,
        windowsVirtualKeyCode => $key_codes{$key} // ord uc $key);
    $event{text} = $key eq 'Enter' ? "\r" : $key
        if length $key == 1 || $key eq 'Enter';
    call('Input.dispatchKeyEvent', type => 'keyDown', %event);
    delete $event{text};
    call('Input.dispatchKeyEvent', type => 'keyUp', %event);
}

# By Tab to what has this id, or to the text of a button.
sub tab_to {
    my ($wanted) = @_;
    for (1 .. 50) {
        return if ask('(e => e.id || e.textContent)(document.activeElement)')
            eq $wanted;
        press('Tab');
    }
    expect(0, "Tab does not lead to $wanted");
}

sub text_of { return ask("document.getElementById('$_[0]').innerText"); }

# --- What a page has to show ---

my %lump;

# Reads a classic or an XBM1 lump: the grid, and for each block its offset and
# list, where that ends, and "" for a list that cannot be read.
sub read_lump {
    my $bytes = read_file($_[0]);
    my $is_wide = $bytes =~ /^XBM1/;
    my @words = unpack $is_wide ? 'x8V*' : 'v*', $bytes;
    my $end = $is_wide ? 0xffffffff : 0xffff;
    my ($x, $y) = unpack $is_wide ? 'x8l<l<' : 's<s<', $bytes;
    %lump = (x => $x, y => $y, columns => $words[2], rows => $words[3]);
    $lump{$_} /= 65536 for $is_wide ? qw(x y) : ();
    my $first = 4 + $words[2] * $words[3];
    $lump{offsets} = [@words[4 .. $first - 1]];
    $lump{shared}{$_}++ for @{$lump{offsets}};
    my $at = @words;
    my $is_readable = 0;
    my @ends;
    for my $word (reverse $first .. $#words) {
        ($at, $is_readable) = ($word, 1) if $words[$word] == $end;
        $ends[$word] = $at if $is_readable;
    }
    # All lists begin with a 0.
    for my $offset (keys %{$lump{shared}}) {
        next if $offset < $first || !defined $ends[$offset];
        my %seen;
        $lump{list}{$offset} = join ' ', grep { !$seen{$_}++ }
            map { $words[$_] } grep { $words[$_] || !$lump{shared}{$_} }
            $offset + 1 .. $ends[$offset] - 1;
        $lump{end}{$offset} = $ends[$offset];
        my $least = \$lump{least}{$ends[$offset]};
        $$least = $offset if !defined $$least || $offset < $$least;
    }
}

# The text of a block.
sub block_text {
    my ($column, $row) = @_;
    my $offset = $lump{offsets}[$row * $lump{columns} + $column];
    my $list = $lump{list}{$offset};
    my $at = join ',', $lump{x} + 128 * $column, $lump{y} + 128 * $row;
    my $text = "Block $column,$row at $at Offset $offset List ";
    return qr/^\Q${text}that cannot be read\E/ unless defined $list;
    my $blocks = $lump{shared}{$offset};
    $text .= $blocks > 1 ? "shared by $blocks blocks" : 'of this block alone';
    $text .= ', nested in a longer list'
        if $lump{least}{$lump{end}{$offset}} < $offset;
    $text .= " Linedefs: " . ($list eq "" ? "none" : $list);
    $text =~ s/ $//;
    return qr/^\Q$text\E(?: Missing:.*)?$/;
}

sub expect_block {
    my ($column, $row, $how) = @_;
    my $found = text_of('block') =~ s/\s+/ /gr =~ s/ $//r;
    expect($found =~ block_text($column, $row),
        "$how: $found; expected was " . block_text($column, $row));
}

# The rows of what is missing, as the report of verify has it.
sub expected_rows {
    my ($map) = @_;
    my %entries;
    push @{$entries{$_->{linedef}}}, $_
        for @{$map->{missing}};
    return map {
        my ($line, @of) = ($_, @{$entries{$_}});
        sprintf 'Linedef %d, %.1f units, %s, in %s', $line,
            sum(map { $_->{units} } @of), $of[0]{class} eq 'solid'
            ? "solid: $of[0]{reason}" : 'harmless',
            join ' ', map { "$_->{column},$_->{row}" } @of;
    } sort {
        $entries{$b}[0]{class} cmp $entries{$a}[0]{class} || $a <=> $b
    } keys %entries;
}

# What engines do, where those that are more than half are not named.
sub engines_texts {
    my ($map) = @_;
    my %names = (loads => 'Read right by', rebuilds => 'Ignored by (they build their own)',
        wrong => 'Read wrong by', crashes => 'Crashes');
    my %does;
    push @{$does{$_->{verdict}}}, $_->{engine} .
        ($_->{why} ? " ($_->{why})" : '') for @{$map->{engines}};
    return map {
        my @engines = @{$does{$_}};
        "$names{$_} " . (2 * @engines <= @{$map->{engines}}
            ? join '; ', @engines : 'all')
    } keys %does;
}

# --- The tests ---

# Where a block is on the screen: west, south, east, north.
sub place_of {
    my ($column, $row) = @_;
    my ($x, $y) = ($lump{x} + 128 * $column, $lump{y} + 128 * $row);
    my ($a, $d, $e, $f) = @{see('(m => [m.a, m.d, m.e, m.f])' .
        '(document.getElementById("map").getScreenCTM())')};
    return ($a * $x + $e, $d * $y + $f, $a * ($x + 128) + $e,
        $d * ($y + 128) + $f);
}

sub middle_of {
    my ($west, $south, $east, $north) = place_of(@_);
    return (($west + $east) / 2, ($south + $north) / 2);
}

# The blocks to look at: the fullest one, one of the most shared list, a nested
# one, an empty one and the last.
sub blocks_to_see {
    my @length = map { scalar(() = ($lump{list}{$_} // '') =~ / /g) }
        @{$lump{offsets}};
    my @last = (0) x 5;
    for my $block (0 .. $#length) {
        my $offset = $lump{offsets}[$block];
        $last[0] = $block if $length[$block] > $length[$last[0]];
        $last[1] = $block if $lump{shared}{$offset} >
            $lump{shared}{$lump{offsets}[$last[1]]} && $length[$block] > 0;
        $last[2] = $block if defined $lump{list}{$offset} &&
            $lump{least}{$lump{end}{$offset}} < $offset;
        $last[3] = $block if !$length[$block];
        $last[4] = $block;
    }
    return map { [$_ % $lump{columns}, int($_ / $lump{columns})] } @last;
}

sub test_hover {
    press('0');
    for my $block (blocks_to_see()) {
        mouse('mouseMoved', middle_of(@$block));
        expect_block(@$block, 'the mouse');
    }
    # A click has whole pixels, and blocks of the largest map are smaller.
    my ($west, undef, $east) = place_of(0, 0);
    return if $east - $west < 4;
    my @clicked = middle_of(0, 0);
    mouse($_, @clicked, button => 'left', clickCount => 1)
        for qw(mousePressed mouseReleased);
    expect_block(0, 0, 'a click');
    mouse('mouseMoved', middle_of($lump{columns} - 1, $lump{rows} - 1));
    expect_block(0, 0, 'a click keeps it');
    press('Escape');
}

sub test_keys {
    tab_to('view');
    press('Enter');
    expect(text_of('block') =~ /^Block (-?\d+),(-?\d+)/, 'Enter');
    my ($column, $row) = ($1, $2);
    for (['ArrowRight', 1, 0], ['ArrowUp', 0, 1], ['ArrowLeft', -1, 0],
        ['ArrowDown', 0, -1]) {
        my ($key, $right, $up) = @$_;
        press($key);
        $column = min(max($column + $right, 0), $lump{columns} - 1);
        $row = min(max($row + $up, 0), $lump{rows} - 1);
        expect_block($column, $row, $key);
        my ($x, $y) = middle_of($column, $row);
        expect($x > 0 && $y > 0 && $x < $width && $y < $height,
            "$key: $x,$y is out of sight");
    }
    press('Escape');
    expect(text_of('block') =~ /^\s*No block/, 'Escape');
    my @whole = place_of(0, 0);
    press('0');
    @whole = place_of(0, 0);
    for (['+', sub { $_[0] > $_[1] }], ['-', sub { $_[0] < $_[1] }]) {
        my ($key, $compare) = @$_;
        my @before = place_of(0, 0);
        press($key);
        my @after = place_of(0, 0);
        expect($compare->($after[2] - $after[0], $before[2] - $before[0]),
            "$key does not zoom");
    }
    press('ArrowRight');
    expect((place_of(0, 0))[0] < $whole[0], 'an arrow does not move the map');
    my @before = place_of(0, 0);
    my ($x, $y) = (400, 400);
    mouse('mouseMoved', $x, $y);
    mouse('mousePressed', $x, $y, button => 'left', clickCount => 1);
    mouse('mouseMoved', $x + 5 * $_, $y, button => 'left', buttons => 1)
        for 1 .. 6;
    mouse('mouseReleased', $x + 30, $y, button => 'left', clickCount => 1);
    my $moved = (place_of(0, 0))[0] - $before[0];
    expect($moved > 24 && $moved < 31, "dragged by 30 pixels: $moved");
    press('0');
    mouse('mouseMoved', middle_of(0, 0));
    expect_block(0, 0, 'after a drag');
    press('0');
    expect("@{[place_of(0, 0)]}" eq "@whole", '0 does not show the whole map');
}

# A row leads to its blocks, by click, Tab or keys.
sub test_missing {
    my @rows = expected_rows(@_);
    my @seen = @{ask('[...document.querySelectorAll("#missing button")]' .
        '.map(e => e.textContent)')};
    my @shown = @rows > 1000 ? @rows[0 .. 999] : @rows;
    expect(@seen == @shown, @seen . ' rows, not ' . @shown);
    for my $i (0 .. min($#seen, $#shown)) {
        expect($seen[$i] eq $shown[$i], "$seen[$i]; expected was $shown[$i]")
            or last;
    }
    return unless @seen;
    my $look = sub {
        my ($row, $how) = @_;
        my ($column, $line) = $row =~ /in (\S+)/;
        my ($west, $south, $east, $north) = place_of(split /,/, $column);
        expect($west >= 0 && $north >= 0 && $east <= $width &&
            $south <= 2 * $height, "$how: $row is out of sight");
        expect($east - $west > 5, "$how: a block of " . ($east - $west));
        expect(text_of('block') =~ /^Block \Q$column\E /,
            "$how: $row: " . text_of('block'));
    };
    ask('document.querySelectorAll("#missing button")[0].click()');
    $look->($seen[0], 'click');
    press('Escape');
    press('n');
    $look->($seen[0], 'N');
    press('p');
    $look->($seen[-1], 'P');
    tab_to($seen[min(2, $#seen)]);
    press('Enter');
    $look->($seen[min(2, $#seen)], 'Enter');
    press('Escape');
}

# The verdict is seen at once, in every window and light.
sub test_looks {
    my ($map) = @_;
    for my $columns ($width, $narrow) {
        resize($columns);
        for my $scheme ('dark', 'light') {
            call('Emulation.setEmulatedMedia', features => [
                {name => 'prefers-color-scheme', value => $scheme}]);
            my $found = see('tests.misplaced()');
            expect($found eq '', "$columns, $scheme: $found");
            my $text = see('tests.brightness("h1", "color")');
            my $paper = see('tests.brightness(":root", "backgroundColor")');
            ($text, $paper) = ($paper, $text) if $scheme eq 'dark';
            expect($text < 60 && $paper > 190, "$scheme: $text and $paper");
        }
    }
    resize($width);
    my $top = ask('document.querySelector("header").innerText') =~ s/\s+/ /gr;
    for my $text ("$map->{map} Verdict $map->{status}",
        "Largest offset $map->{largest_offset}", "Bytes $map->{bytes}",
        "Lists $map->{lists} for " . @{$lump{offsets}} . ' blocks',
        "Missing entries $map->{missing_entries}, $map->{solid_entries} of",
        engines_texts($map)) {
        expect(index($top, $text) >= 0, "no '$text' at the top: $top");
    }
}

sub test_page {
    (my $name = $page) =~ s/\.html$//;
    my $map = decode_json(read_file("$name.json"))->{files}[0]{maps}[0];
    read_lump("$name.lump");
    test_looks($map);
    test_hover();
    test_keys();
    test_missing($map);
}

sub test_picture {
    for my $columns ($width, $narrow) {
        resize($columns);
        my $found = see('tests.picture()');
        expect($found eq '', "$columns: $found");
    }
}

while ($page = <STDIN>) {
    chomp $page;
    my $target = open_page();
    $page =~ /\.html$/ ? test_page() : test_picture();
    $session = undef;
    call('Target.closeTarget', targetId => $target);
}
call('Browser.close');
waitpid $browser, 0;
binmode STDOUT, ":utf8";
print "$_\n" for @faults;
exit(@faults > 0);
