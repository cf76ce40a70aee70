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

# By Tab, from the top, to what has this id, or to the text of a button.
sub tab_to {
    my ($wanted) = @_;
    ask('(top => { top.tabIndex = -1; top.focus(); })' .
        '(document.querySelector("h1"))');
    for (1 .. 50) {
        return if ask('(e => e.id || e.textContent)(document.activeElement)')
            eq $wanted;
        press('Tab');
    }
    expect(0, "Tab does not lead to $wanted");
}

sub text_of { return ask("document.getElementById('$_[0]').innerText"); }

# --- What a page has to show ---

my $map;   # in the report of verify
my $group; # the one whose button is pressed
my %lump;

# Reads a classic or an XBM1 lump: its grid, and for each word where its list
# ends.
sub read_lump {
    my $bytes = read_file($_[0]);
    my $is_wide = $bytes =~ /^XBM1/;
    my @words = unpack $is_wide ? 'x8V*' : 'v*', $bytes;
    my $end = $is_wide ? 0xffffffff : 0xffff;
    my ($x, $y) = unpack $is_wide ? 'x8l<l<' : 's<s<', $bytes;
    %lump = (x => $x, y => $y, words => \@words, columns => $words[2] // 0,
        rows => $words[3] // 0);
    $lump{$_} /= 65536 for $is_wide ? qw(x y) : ();
    $lump{count} = $lump{columns} * $lump{rows};
    my $at;
    for my $word (reverse 0 .. $#words) {
        $at = $word if $words[$word] == $end;
        $lump{ends}[$word] = $at;
    }
    $lump{shared}{$_}++ for @words[4 .. 3 + $lump{count}];
}

# Reads the lists of a block as the group does, or as they were meant if it does
# not use them.
sub read_lists {
    my ($words, $ends) = @lump{qw(words ends)};
    my $is_used = defined $group->{reads_headers};
    my $reach = $group->{blocks_found} // 65536;
    my $skip = $is_used ? $group->{skips_first_word}
        : $map->{headers} ne 'none';
    @lump{qw(begins least lists)} = ([], {}, {});
    for my $block (0 .. $lump{count} - 1) {
        next if $is_used && ($block % $lump{columns} >= $reach ||
            $block / $lump{columns} >= $reach);
        my $offset = $words->[4 + $block];
        my $begin = $offset + ($skip ? 1 : 0);
        next if !$is_used && $offset < 4 + $lump{count} ||
            !defined $ends->[$begin];
        $lump{begins}[$block] = $begin;
        my $least = \$lump{least}{$ends->[$begin]};
        $$least = $begin if !defined $$least || $begin < $$least;
        my %seen;
        $lump{lists}{$begin} //= [grep { !$seen{$_}++ }
            @$words[$begin .. $ends->[$begin] - 1]];
    }
}

# The text of a block.
sub block_text {
    my ($column, $row) = @_;
    my $block = $row * $lump{columns} + $column;
    my $offset = $lump{words}[4 + $block];
    my $begin = $lump{begins}[$block];
    my $at = join ',', $lump{x} + 128 * $column, $lump{y} + 128 * $row;
    my $text = "Block $column,$row at $at ";
    return qr/^\Q${text}List built by the game Linedefs: \E[\d none]+$/
        if $group->{verdict} eq 'rebuilds';
    $text .= "Offset $offset List ";
    return qr/^\Q${text}out of reach Linedefs: none\E/
        if !defined $begin && defined $group->{reads_headers};
    return qr/^\Q${text}that cannot be read\E/ unless defined $begin;
    my $blocks = $lump{shared}{$offset};
    $text .= $blocks > 1 ? "shared by $blocks blocks" : 'of this block alone';
    $text .= ', nested in a longer list'
        if $lump{least}{$lump{ends}[$begin]} < $begin;
    $text .= " Linedefs: " . ("@{$lump{lists}{$begin}}" || "none");
    return qr/^\Q$text\E(?: Missing:.*)?$/;
}

sub expect_block {
    my ($column, $row, $how) = @_;
    my $found = text_of('block') =~ s/\s+/ /gr =~ s/ $//r;
    expect($found =~ block_text($column, $row),
        "$how: $found; expected was " . block_text($column, $row));
}

my @movers = (['players', 'walk'], ['missiles', 'fly'], ['shots', 'go']);

# What the first of a group's movers is, that can cross a wall.
sub mover_of { return grep { $group->{"$_->[0]_cross"} } @movers; }

# The rows of a group's walls, as the report of verify has them.
sub expected_rows {
    return map {
        my $wall = $_;
        my ($mover) = grep { $wall->{$_->[0]} > 0 } @movers;
        my $what = !$mover ? 'slides may differ' : sprintf
            '%s can cross %.1f units', $mover->[0], $wall->{$mover->[0]};
        "Linedef $wall->{linedef}: $what\n$wall->{reason}, " .
            "$wall->{x1},$wall->{y1} to $wall->{x2},$wall->{y2}";
    } @{$group->{walls} // []};
}

# What the sentence on top has to say.
sub expected_sentence {
    my ($mover) = mover_of();
    return qr/crash/ if $group->{verdict} eq 'crashes';
    return qr/unknown/ if $group->{verdict} eq 'unknown';
    return qr/build their own/ if $group->{verdict} eq 'rebuilds';
    return qr/^In .*, nothing can pass a wall\.$/ unless $mover;
    my $walls = $group->{"$mover->[0]_cross"};
    my $number = reverse join ',', (reverse $walls) =~ /(\d{1,3})/g;
    my $plural = $walls == 1 ? '' : 's';
    return qr/^In .*, $mover->[0] can $mover->[1] through (?:at most )?$number wall$plural\.$/;
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
    my ($begins, $lists) = @lump{qw(begins lists)};
    my @length = map { defined && $lists->{$_} ? scalar @{$lists->{$_}} : 0 }
        @$begins[0 .. $lump{count} - 1];
    my @last = (0) x 5;
    my $sharers = sub { $lump{shared}{$lump{words}[4 + $_[0]]} };
    for my $block (0 .. $#length) {
        my $begin = $begins->[$block];
        $last[0] = $block if $length[$block] > $length[$last[0]];
        $last[1] = $block
            if $sharers->($block) > $sharers->($last[1]) && $length[$block] > 0;
        $last[2] = $block if defined $begin &&
            $lump{least}{$lump{ends}[$begin]} < $begin;
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
    expect(text_of('block') =~ /^(?:Press N|Point)/, 'Escape');
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

# A row leads to its line, by click, Tab or keys.
sub test_missing {
    my @rows = expected_rows();
    my @seen = @{ask('[...document.querySelectorAll("#missing button")]' .
        '.map(e => e.textContent)')};
    my $shown = min(scalar @rows, 1000);
    expect(@seen >= $shown, @seen . " rows, not $shown");
    for my $i (0 .. $shown - 1) {
        expect($seen[$i] eq $rows[$i], "$seen[$i]; expected was $rows[$i]")
            or last;
    }
    expect($_ =~ /^Linedef \d+: harmless\n/, "$_: no wall, and not harmless")
        for @seen[$shown .. $#seen];
    return unless @seen;
    my $look = sub {
        my ($row, $how) = @_;
        my ($linedef) = $row =~ /^Linedef (\d+)/;
        my ($x1, $y1, $x2, $y2) = $row =~
            /(-?[\d.]+),(-?[\d.]+) to (-?[\d.]+),(-?[\d.]+)$/;
        for ([$x1, $y1], [$x2, $y2]) {
            my ($x, $y) = middle_of(($_->[0] - $lump{x}) / 128 - 0.5,
                ($_->[1] - $lump{y}) / 128 - 0.5);
            expect($x >= 0 && $x <= $width && $y >= 0 && $y <= $height,
                "$how: $row is out of sight");
        }
        expect(text_of('block') =~ /^Missing:.*\b$linedef\b/m,
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

# --- Groups ---

# The pressed button, the sentence, the legend and the walls are the group's.
sub expect_group {
    my ($how) = @_;
    my @pressed = @{ask('[...document.querySelectorAll("#groups button")]' .
        '.filter(e => e.ariaPressed === "true").map(e => e.textContent)')};
    expect(@pressed == 1 && $pressed[0] =~ /\Q$group->{games}\E$/,
        "$how: pressed is @pressed");
    my ($mover) = mover_of();
    my $verdict = {loads => qr/^good/, wrong => $mover && qr/^$mover->[0] cross/,
        rebuilds => qr/^builds its own/}->{$group->{verdict}} //
        qr/^$group->{verdict}/;
    expect(($pressed[0] // '') =~ $verdict, "$how: @pressed");
    my $sentence = text_of('sentence');
    expect($sentence =~ expected_sentence(), "$how: $sentence");
    my ($first) = $group->{games} =~ /^([^,;(]+[^,;( ])/;
    my $is_all = !grep { $_->{verdict} !~ /loads|rebuilds/ } @{$map->{groups}};
    expect($is_all || index($sentence, $first) >= 0,
        "$how: no $first: $sentence");
    expect(text_of('remarks') =~ /\Q$group->{why}\E/i, "$how: why")
        if $group->{why};
    # A build cannot help where a map is too wide.
    expect(!ask('document.getElementById("repair").hidden') ==
        !!($group->{fails} && !$group->{far}), "$how: repair");

    # How many walls of a kind are drawn and told, or nothing.
    my $legend = text_of('key');
    for my $kind (map({ $_->[0] } @movers), 'slides') {
        my $walls = $group->{$kind eq 'slides' ? 'slides_only'
            : "${kind}_cross"} // 0;
        my $drawn = ask("(document.getElementById('$kind')" .
            ".getAttribute('d').match(/M/g) ?? []).length");
        expect($drawn == $walls, "$how: $drawn $kind, not $walls");
        my ($told) = $legend =~ /$kind (?:can cross|may differ): ([\d,]+)/;
        expect(($told // '0') =~ s/,//gr == $walls,
            "$how: $kind in the legend: $legend");
    }
    my ($extra) = $legend =~ /extra linedefs: ([\d,]+)/;
    expect(($extra // '0') =~ s/,//gr == ($group->{extra_entries} // 0),
        "$how: extra: $legend");
    expect($legend !~ /harmless: 0|undefined|NaN/, "$how: $legend");
}

# Every block has the colour of the number of linedefs that the group finds.
sub expect_colours {
    my ($how) = @_;
    return if $lump{count} == 0 || $lump{count} > 20000 ||
        $group->{verdict} eq 'rebuilds';
    my %least;
    $least{$_->[0]} = $_->[1] for @{ask(
        '[...document.querySelectorAll("#key span")].filter(' .
        'e => /^colour/.test(e.dataset.kind)).map(' .
        'e => [e.dataset.kind, parseInt(e.dataset.label)])')};
    my @colours = sort { $least{$b} <=> $least{$a} } keys %least;
    my %seen;
    for (@{ask('[...document.querySelectorAll("#colours path")].map(' .
        'e => [e.id, e.getAttribute("d")])')}) {
        my ($id, $path) = @$_;
        while ($path =~ /M(\d+) (\d+)h(\d+)v/g) {
            $seen{$2 * $lump{columns} + $_} = $id for $1 .. $1 + $3 - 1;
        }
    }
    for my $block (0 .. $lump{count} - 1) {
        my $begin = $lump{begins}[$block];
        my $length = defined $begin
            ? grep { $_ < $map->{linedefs} } @{$lump{lists}{$begin}} : 0;
        my ($colour) = grep { $least{$_} <= $length } @colours;
        $colour = 'unreadable' unless defined $begin || defined $group->{reads_headers};
        expect(($seen{$block} // '') eq $colour,
            "$how: block $block is " . ($seen{$block} // 'bare') .
            ", not $colour") or last;
    }
}

sub choose_group {
    $group = $_[0];
    read_lists();
}

# The first group that the lump fails is shown, else the first that reads it;
# each button shows its own, by mouse or keys.
sub test_groups {
    my @groups = @{$map->{groups}};
    my $count = ask('document.querySelectorAll("#groups button").length');
    expect($count == @groups, "$count buttons");
    my ($first) = (grep({ $_->{fails} } @groups),
        grep({ $_->{verdict} eq 'loads' } @groups), $groups[0]);
    choose_group($first);
    expect_group('at first');
    my $is_by_key = 0;
    for my $i (reverse 0 .. $#groups) {
        choose_group($groups[$i]);
        if ($is_by_key = !$is_by_key) {
            tab_to(ask("document.querySelectorAll('#groups button')[$i]" .
                '.textContent'));
            press('Enter');
        } else {
            my ($x, $y) = @{ask('(({left, top}) => [left, top])(document.' .
                "querySelectorAll('#groups button')[$i]" .
                '.getBoundingClientRect())')};
            mouse($_, $x + 9, $y + 9, button => 'left', clickCount => 1)
                for qw(mousePressed mouseReleased);
        }
        expect_group("group $i");
        expect_colours("group $i");
        test_missing() if $i == 0 || $group->{fails};
    }
    choose_group($first);
    ask("document.querySelectorAll('#groups button')[" . (grep {
        $groups[$_] == $first } 0 .. $#groups)[0] . "].click()");
}

# The sentence is seen at once, in every window and light.
sub test_looks {
    for my $columns ($width, $narrow) {
        resize($columns);
        for my $scheme ('dark', 'light') {
            call('Emulation.setEmulatedMedia', features => [
                {name => 'prefers-color-scheme', value => $scheme}]);
            my $found = see('tests.misplaced()');
            expect($found eq '', "$columns, $scheme: $found");
            my $text = see('tests.brightness("#sentence", "color")');
            my $paper = see('tests.brightness(":root", "backgroundColor")');
            ($text, $paper) = ($paper, $text) if $scheme eq 'dark';
            expect($text < 60 && $paper > 190, "$scheme: $text and $paper");
        }
    }
    resize($width);
    my $top = ask('document.querySelector("header").innerText') =~ s/\s+/ /gr;
    my $below = ask('document.querySelector("dl").textContent') =~ s/\s+/ /gr;
    expect(index($top, "$map->{map} - ") == 0, "no name at the top: $top");
    for my $text ("Verdict$map->{status}",
        "Largest offset$map->{largest_offset}", "Bytes$map->{bytes}",
        "Lists$map->{lists} for $lump{count} blocks") {
        expect(index($below, $text) >= 0, "no '$text': $below");
    }
}

sub test_page {
    (my $name = $page) =~ s/\.html$//;
    $map = decode_json(read_file("$name.json"))->{files}[0]{maps}[0];
    read_lump("$name.lump");
    test_looks();
    test_groups();
    return if $lump{count} == 0;
    test_hover();
    test_keys();
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
