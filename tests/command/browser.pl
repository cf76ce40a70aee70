# SPDX-License-Identifier: GPL-2.0-or-later
#
# browser.pl FOLDER SCRIPT <JOBS: looks at pictures, and works with pages as a
# person does, in Chromium.  Commands go to that through a
# pipe, in its DevTools protocol: JSON, with a 0 byte after each message.  A
# line of JOBS is the name of a file in FOLDER, and for a page a block's number
# and what it lists.  SCRIPT is browser.js.  Prints what is wrong; ends with 0
# if nothing is.

use strict;
use warnings;
use Fcntl;
use IO::Handle;
use JSON::PP;
use POSIX ();

my ($folder, $script) = @ARGV;
my ($width, $narrow, $height) = (1200, 400, 800);
my ($page, $wanted_block, $wanted_list);
my @faults;

# The prototype has a match that fails be false rather than an empty list.
sub expect($$) {
    my ($good, $what) = @_;
    push @faults, "$page: $what" unless $good;
    return $good;
}

sub read_file {
    open(my $file, '<:raw', $_[0]) or die "$_[0]: $!";
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
        push @faults, "$page: " . $json->encode($message)
            if ($message->{method} // '') =~
            /^(?:Log\.|Runtime\.(?:exceptionThrown|consoleAPICalled))/;
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

# evaluate SCRIPT: the same when the page is drawn, which takes time: where the
# map is then, and what colours there are.
sub evaluate {
    return ask("new Promise(done => requestAnimationFrame(() => done($_[0])))");
}

sub resize {
    call('Emulation.setDeviceMetricsOverride', width => $_[0],
        height => $_[1], deviceScaleFactor => 1, mobile => JSON::PP::false);
    for (1 .. 3000) {
        last if evaluate('innerWidth') == $_[0];
        select undef, undef, undef, 0.05;
    }
    evaluate('0'); # what follows from it
}

sub open_page {
    my ($name) = @_;
    $session = undef;
    my $target = call('Target.createTarget', url => 'about:blank');
    $session = call('Target.attachToTarget', flatten => JSON::PP::true,
        targetId => $target->{targetId})->{sessionId};
    call($_) for 'Runtime.enable', 'Page.enable', 'Log.enable';
    resize($width, $height);
    call('Page.navigate', url => "file://$folder/$name");
    for (1 .. 3000) {
        last if evaluate('document.readyState') eq 'complete';
        select undef, undef, undef, 0.1;
    }
    ask('window.tests = (() => {' . read_file($script) .
        'return {misplaced, small, colours, picture, brightness}; })(); 0');
    return $target->{targetId};
}

sub set_scheme {
    call('Emulation.setEmulatedMedia', features => [
        {name => 'prefers-color-scheme', value => $_[0]}]);
}

# --- A person ---

sub mouse {
    my ($type, $x, $y, %more) = @_;
    call('Input.dispatchMouseEvent', type => $type, x => $x, y => $y, %more);
}

sub click {
    my ($x, $y, $modifiers) = @_;
    my %button = (button => 'left', clickCount => 1,
        modifiers => $modifiers // 0);
    mouse('mouseMoved', $x, $y);
    mouse('mousePressed', $x, $y, %button);
    mouse('mouseReleased', $x, $y, %button);
}

use constant SHIFT => 8;

# The keys that are pressed here.
my %key_codes = (Enter => 13, Backspace => 8, Escape => 27, Tab => 9,
    ArrowLeft => 37, ArrowUp => 38, ArrowRight => 39, ArrowDown => 40);

sub press {
    my ($key, $modifiers) = @_;
    my %event = (key => $key, modifiers => $modifiers // 0,
        windowsVirtualKeyCode => $key_codes{$key} // ord $key);
    $event{text} = $key eq 'Enter' ? "\r" : $key
        if length $key == 1 || $key eq 'Enter';
    call('Input.dispatchKeyEvent', type => 'keyDown', %event);
    delete $event{text};
    call('Input.dispatchKeyEvent', type => 'keyUp', %event);
}

sub touch {
    my ($type, @points) = @_;
    my $id = 0;
    call('Input.dispatchTouchEvent', type => $type, touchPoints =>
        [map { {x => $_->[0], y => $_->[1], id => $id++} } @points]);
}

# To a button by its title, or to what has this id, from where the keys are.
sub tab_to {
    my ($wanted) = @_;
    my $there = 'document.activeElement.title || document.activeElement.id';
    for (1 .. 300) {
        return if ask($there) eq $wanted;
        press('Tab');
    }
    expect(0, "Tab does not lead to $wanted");
}

sub find_text {
    my ($text) = @_;
    tab_to('wanted');
    # As Tab leads to a field, its text is selected.
    press('Backspace');
    press($_) for split //, $text;
    press('Enter');
    press('Tab');
}

# --- What is seen, without the functions of the page ---

sub focused { return ask('document.activeElement.id'); }

sub choice { return ask('document.getElementById("choice").innerText'); }

sub transform {
    return join ' ', map { sprintf '%.6g', $_ } @{evaluate(
        '(m => [m.a, m.d, m.e, m.f])' .
        '(document.getElementById("map").getScreenCTM())')};
}

sub scale { return (split ' ', transform())[0]; }

# Where a point of the map is on the screen.
sub on_screen {
    my ($x, $y) = @_;
    my ($a, $d, $e, $f) = split ' ', transform();
    return ($a * $x + $e, $d * $y + $f);
}

# What the page's file says: numbers by name, the kinds, and for each kind the
# coordinates of its lines.
sub read_page {
    my $text = read_file("$folder/$page");
    my %data = $text =~ /"(originX|originY|columns|rows)": (-?[\d.e+]+)/g;
    $data{$_} = [split /,/, ($text =~ /"$_": \[([^]]*)\]/)[0]]
        for qw(begins words);
    $data{entries} = [map { [split /,/] } ($text =~ /"entries": \[(.*)\]/)[0]
        =~ /\[([^]]*)\]/g];
    $data{found} = {$text =~ /\["([a-z-]+)","[^"]*",(\d+)\]/g};
    $data{kinds} = [map { $_ % 4 } split //, ($text =~ /"kinds": "(\d+)"/)[0]];
    my $kinds = qr/one-sided|two-sided|special|left-out/;
    $data{paths} = [$text =~ /<g id="$kinds"[^>]*>\n<path d="([^"]*)"/g];
    return \%data;
}

# The coordinates of a line.
sub ends_of {
    my ($data, $line) = @_;
    my $kind = $data->{kinds}[$line];
    my $before = grep { $_ == $kind } @{$data->{kinds}}[0 .. $line - 1];
    return split /[L ]/, (split /M/, $data->{paths}[$kind])[$before + 1];
}

# The blocks that list a line, by reading all lists.
sub blocks_of {
    my ($data, $line) = @_;
    my $words = $data->{words};
    my @blocks;
    for my $block (0 .. $#{$data->{begins}}) {
        my $word = $data->{begins}[$block];
        next if $word < 0;
        $word++ while $words->[$word] != -1 && $words->[$word] != $line;
        push @blocks, $block if $words->[$word] == $line;
    }
    return @blocks;
}

# What buttons behind a text name.
sub buttons {
    return ask('[...document.querySelectorAll(' .
        '"#choice p:not([class]) + div button")]' .
        '.filter(b => b.title.startsWith("' . $_[0] . '"))' .
        '.map(b => b.textContent)');
}

# The column and row of a block.
sub name_of {
    my ($data, $block) = @_;
    return $block % $data->{columns} . ',' . int($block / $data->{columns});
}

# What lies where it should not, or looks otherwise.
sub look {
    my ($what, $function) = (@_, 'misplaced');
    my $found = evaluate("tests.$function()");
    expect($found eq '', "$what: $found");
}

# Looks at what functions find in the light and in the dark, where the text,
# and the paper, have this property.
sub look_at_colours {
    my ($text, $paper, @looks) = @_;
    for my $scheme ('dark', 'light') {
        set_scheme($scheme);
        my ($ink, $ground) =
            map { evaluate("tests.brightness($_)") } $text, $paper;
        ($ink, $ground) = ($ground, $ink) if $scheme eq 'dark';
        expect($ink < 90 && $ground > 165, "$scheme: $ink and $ground");
        look($scheme, $_) for @looks;
    }
}

# --- The tests ---

sub test_blocks {
    my ($data) = @_;
    my $columns = $data->{columns};
    my ($column, $row) = ($wanted_block % $columns,
        int($wanted_block / $columns));
    my @middle = map { $_ * 128 + 64 } $column, $row;
    my @point = on_screen($data->{originX} + $middle[0],
        $data->{originY} + $middle[1]);
    click(@point, SHIFT);
    expect(choice() =~ /^Block $column,$row\n+.*; number $wanted_block\n/,
        "a click on block $wanted_block: " . choice());
    expect("@{buttons('linedef')}" eq $wanted_list,
        "block $wanted_block lists @{buttons('linedef')}; expected were " .
        $wanted_list);
    my @corner = map { $_ - 64 } $data->{originX} + $middle[0],
        $data->{originY} + $middle[1];
    expect(ask('document.getElementById("chosen").getAttribute("d")')
        =~ /^M$corner[0] $corner[1]h/, "block $wanted_block is not framed");
    look("block $wanted_block");

    # The neighbour, by an arrow.
    press('ArrowRight');
    my $next = $column + 1 < $columns ? $wanted_block + 1 : $wanted_block;
    expect(choice() =~ /number $next\n/, "the block to the right");
    press('Escape');
    expect(choice() =~ /^Click/, "Escape: " . choice());
}

# The last line of a list, by its middle.
sub test_lines {
    my ($data) = @_;
    my $line = (split ' ', $wanted_list)[-1];
    return unless defined $line;
    my ($x1, $y1, $x2, $y2) = ends_of($data, $line);
    my @middle = (($x1 + $x2) / 2, ($y1 + $y2) / 2);

    # From near, so that no other line is hit.
    for (1 .. 40) {
        last if scale() > 4;
        mouse('mouseWheel', on_screen(@middle), deltaX => 0, deltaY => -200);
    }
    expect(scale() > 4, "the wheel does not zoom");
    click(on_screen(@middle));
    expect(choice() =~ /^Linedef $line\n/,
        "a click on linedef $line: " . choice());
    my $blocks = buttons('block');
    my @expected = map { name_of($data, $_) } blocks_of($data, $line);
    expect("@$blocks" eq "@expected",
        "linedef $line is in blocks @$blocks; expected were @expected");
    look("linedef $line");
    press('0');

    # From the line to its first block by the keyboard alone; behind a choice
    # the arrows move what is chosen.
    press('Escape');
    find_text("linedef $line");
    tab_to("block $blocks->[0]");
    press('Enter');
    expect(focused() eq 'view', 'a choice leads to ' . focused());
    my ($column, $row) = split /,/, $blocks->[0];
    $column++ if $column + 1 < $data->{columns};
    press('ArrowRight');
    expect(choice() =~ /^Block $column,$row\n/, "the arrow behind a choice");
    press('Escape');
}

sub test_moves {
    expect(focused() eq 'view', "Escape leads to the map");
    press('0');
    my $whole = transform();
    press('+');
    my $near = scale();
    expect($near > (split ' ', $whole)[0], "+ does not zoom");
    press('-');
    expect(scale() < $near, "- does not zoom");
    press('0');
    expect(transform() eq $whole, "0 does not show the whole map");
    press('0');

    my ($x, $y) = (400, 400);
    mouse('mouseMoved', $x, $y);
    mouse('mousePressed', $x, $y, button => 'left', clickCount => 1);
    mouse('mouseMoved', $x + $_ * 5, $y, button => 'left', buttons => 1)
        for 1 .. 6;
    mouse('mouseReleased', $x + 30, $y, button => 'left', clickCount => 1);
    my @before = split ' ', $whole;
    my $moved = (split ' ', transform())[2] - $before[2];
    expect($moved > 24 && $moved < 31, "dragged by 30 pixels: $moved");
    expect(choice() =~ /^Click/, "a drag chooses something");
    press('0');

    touch('touchStart', [350, 400], [450, 400]);
    touch('touchMove', [300, 400], [500, 400]);
    touch('touchEnd');
    my $factor = scale() / $before[0];
    expect(abs($factor - 2) < 0.01, "a pinch to twice the size: $factor");
    press('0');

}

sub test_find {
    my ($data) = @_;
    my $marks = '["chosen", "marked-blocks", "marked-lines"].map(id => ' .
        'document.getElementById(id).getAttribute("d")).join("")';
    my $name = name_of($data, $wanted_block);
    my ($x, $y) = map { $data->{originX} + $_ * 128 } split /,/, $name;
    $y += $data->{originY} - $data->{originX};
    for my $text ("block $wanted_block", "B$wanted_block", $name,
        "missing linedef 1 in block $name at $x,$y: 0.7", "at $x,$y") {
        find_text($text);
        expect(choice() =~ /^Block $name\n/, "$text: " . choice());
        expect(ask($marks) ne '', "$text is not marked");
    }
    find_text('0');
    expect(choice() =~ /^Linedef 0\n/, 'a bare number: ' . choice());
    for my $text ('7a', '1,2,3', '') {
        find_text("block $wanted_block");
        find_text($text);
        expect(choice() =~ /linedef, such as .7.,.*9,8.*block 7.*at 64,/s,
            "'$text': " . choice());
        expect(ask($marks) eq '', "a mark is left by '$text'");
    }
    find_text('block 99999999');
    expect(choice() =~ /^There is no such block; blocks 0,0 to /,
        'a block that is not there: ' . choice());
    expect(ask($marks) eq '', 'a mark of what is not there');
    press('Escape');
}

# What is found: each kind has its list, each entry of it leads to its place, and
# so do keys.
my @kinds = qw(missing harmless extra only-old only-new unreadable);

sub current_row {
    return ask('document.querySelector("option:checked")?.textContent') // '';
}

# Whether the block of an entry is chosen, and in sight.
sub expect_entry {
    my ($data, $entry, $how) = @_;
    my ($kind, $x, $y, $line) = @$entry;
    my ($left, $bottom) = on_screen($x, $y);
    my ($right, $top) = on_screen($x + 128, $y + 128);
    my ($width, $height) = @{ask('[document.getElementById("view")' .
        '.clientWidth, document.getElementById("view").clientHeight]')};
    expect($left >= 0 && $right <= $width && $top >= 0 && $bottom <= $height,
        "$how: $x,$y is out of sight");
    expect($right - $left > 40, "$how: a block of " . ($right - $left));
    expect(choice() =~ /\nat $x,$y, to /, "$how: $x,$y: " . choice());
    my $row = current_row();
    expect($row =~ /^linedef $line in block (\S+)$/ &&
        choice() =~ /^Block $1\n/, "$how: $row");
    expect(ask("!!document.querySelector('#choice p[class] + div " .
        "button[title=\"linedef $line\"]')"), "$how: no button for $line");
}

sub test_found {
    my ($data) = @_;
    my @listed;
    for my $kind (0 .. $#kinds) {
        my $text = ask("document.getElementById('list-$kinds[$kind]')" .
            "?.parentElement.innerHTML") // next;
        my @entries = grep { $_->[0] == $kind } @{$data->{entries}};
        my $found = $data->{found}{$kinds[$kind]};
        my $rows = () = $text =~ /<option/g;
        expect($rows == ($found < 1000 ? $found : 1000),
            "$rows rows of $found $kinds[$kind]");
        my $more = $found - $rows;
        expect($more == 0 || $text =~ /and $more more, which are not listed/,
            "what is not listed of $kinds[$kind]");
        push @listed, @entries[0 .. $rows - 1];
    }
    return unless @listed;
    ask('document.getElementById("view").focus()');
    for my $i (0, $#listed, 0) {
        press($i == 0 ? 'n' : 'p');
        expect_entry($data, $listed[$i], "entry $i");
    }
    look('what is found');
    press('Escape');
    press('0');
}

# The help is folded, and a key unfolds it.
sub test_help {
    my $is_seen = 'document.querySelector("dl").checkVisibility()';
    expect(!ask($is_seen), 'the help is not folded');
    ask('document.querySelector("#keys summary").focus()');
    press('Enter');
    expect(ask($is_seen), 'Enter does not unfold the help');
    look('the help');
}

# --- All of it ---

sub test_page {
    my $target = open_page($page);
    look('at first');
    my $data = read_page();
    test_blocks($data);
    test_lines($data);
    test_moves();
    test_find($data);
    test_found($data);
    my @colours = ("'view', 'color'", "'wanted', 'backgroundColor'");
    look_at_colours(@colours, 'misplaced', 'colours');
    evaluate('document.getElementById("view").focus()');
    resize($narrow, $height);
    look_at_colours(@colours, 'misplaced', 'small');
    find_text("b $wanted_block");
    look('a choice in a narrow window', $_) for 'misplaced', 'small';
    test_help();
    return $target;
}

sub test_picture {
    my $target = open_page($page);
    look_at_colours("'picture', 'fill'", "'background', 'fill'", 'picture');
    resize($narrow, $height);
    look('narrow', 'picture');
    return $target;
}

while (my $job = <STDIN>) {
    chomp $job;
    ($page, $wanted_block, $wanted_list) = split / /, $job, 3;
    my $target = $page =~ /\.html$/ ? test_page() : test_picture();
    $session = undef;
    call('Target.closeTarget', targetId => $target);
}
call('Browser.close');
waitpid $browser, 0;
binmode STDOUT, ":utf8";
print "$_\n" for @faults;
exit(@faults > 0);
