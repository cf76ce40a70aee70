# SPDX-License-Identifier: GPL-2.0-or-later
#
# browser.pl PAGE SCREENSHOTS BLOCK LIST: works with a page of show as a person
# does, in Chromium, which is told what to do through a pipe, in its DevTools
# protocol: JSON, with a 0 byte behind each message.  Tells what is wrong; ends
# with 0 if nothing is.  BLOCK is a block's number, LIST what it lists.  In the
# folder SCREENSHOTS are pictures of it then.

use strict;
use warnings;
use Fcntl;
use IO::Handle;
use JSON::PP;
use MIME::Base64;
use POSIX ();

my ($page, $screenshots, $wanted_block, $wanted_list) = @ARGV;
my ($width, $height) = (1200, 800);
my @faults;

# The prototype has a match that fails be false rather than an empty list.
sub expect($$) {
    my ($good, $what) = @_;
    push @faults, $what unless $good;
    return $good;
}

# --- The browser ---

# The browser reads from descriptor 3 and writes to 4.
pipe(my $from_us, my $to_browser) or die "pipe: $!";
pipe(my $from_browser, my $to_us) or die "pipe: $!";
my $browser = fork // die "fork: $!";
if ($browser == 0) {
    open(STDERR, '>', "$screenshots/errors") or die "errors: $!";
    # First out of the way, for neither to be closed by the other.
    my ($in, $out) = map { fcntl($_, F_DUPFD, 10) } $from_us, $to_us;
    POSIX::dup2($in, 3);
    POSIX::dup2($out, 4);
    exec('chromium', qw(--headless --no-sandbox --disable-gpu
        --remote-debugging-pipe --no-first-run --hide-scrollbars),
        "--window-size=$width,$height",
        "--user-data-dir=$screenshots/browser", 'about:blank')
        or die "chromium: $!";
}
close $from_us;
close $to_us;
binmode $to_browser;
binmode $from_browser;
$to_browser->autoflush(1);
alarm 120; # nothing waits forever

my $json = JSON::PP->new->utf8;
my $last_id = 0;
my $session;

sub receive {
    local $/ = "\0";
    my $text = <$from_browser> // die "the browser has ended";
    chomp $text;
    return $json->decode($text);
}

# call METHOD, PARAMETERS: has the browser do it, and waits for its answer.
sub call {
    my ($method, %parameters) = @_;
    my $id = ++$last_id;
    print $to_browser $json->encode({
        id => $id, method => $method, params => \%parameters,
        $session ? (sessionId => $session) : ()}), "\0";
    while (1) {
        my $message = receive();
        if (($message->{method} // '') eq 'Runtime.exceptionThrown') {
            push @faults, "exception: "
                . $json->encode($message->{params}{exceptionDetails});
        }
        next unless ($message->{id} // 0) == $id;
        die "$method: $message->{error}{message}" if $message->{error};
        return $message->{result};
    }
}

# evaluate SCRIPT: what a script gives, when the page is drawn.
sub evaluate {
    my ($script) = @_;
    my $result = call('Runtime.evaluate', returnByValue => JSON::PP::true,
        awaitPromise => JSON::PP::true, expression =>
            'new Promise(done => requestAnimationFrame(() => ' .
            'requestAnimationFrame(() => done(' . $script . '))))');
    die "$script: " . $json->encode($result->{exceptionDetails})
        if $result->{exceptionDetails};
    return $result->{result}{value};
}

sub open_page {
    my $target = call('Target.createTarget', url => 'about:blank');
    $session = call('Target.attachToTarget', flatten => JSON::PP::true,
        targetId => $target->{targetId})->{sessionId};
    call('Runtime.enable');
    call('Page.enable');
    resize($width, $height);
    call('Page.navigate', url => "file://$page");
    for (1 .. 600) {
        last if evaluate('document.readyState') eq 'complete';
        select undef, undef, undef, 0.1;
    }
}

sub resize {
    call('Emulation.setDeviceMetricsOverride', width => $_[0],
        height => $_[1], deviceScaleFactor => 1, mobile => JSON::PP::false);
    for (1 .. 100) {
        last if evaluate('innerWidth') == $_[0];
        select undef, undef, undef, 0.05;
    }
    evaluate('0'); # what follows from it
}

sub set_scheme {
    call('Emulation.setEmulatedMedia', features => [
        {name => 'prefers-color-scheme', value => $_[0]}]);
}

sub take_screenshot {
    my ($name) = @_;
    evaluate('0');
    my $shot = call('Page.captureScreenshot');
    open(my $file, '>:raw', "$screenshots/$name.png") or die "$name: $!";
    print $file decode_base64($shot->{data});
    close $file;
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
        return if evaluate($there) eq $wanted;
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

sub focused { return evaluate('document.activeElement.id'); }

sub choice { return evaluate('document.getElementById("choice").innerText'); }

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
    open(my $file, '<:raw', $page) or die "$page: $!";
    local $/;
    my $text = <$file>;
    my %data = $text =~ /"(originX|originY|columns|rows)": (-?[\d.e+]+)/g;
    $data{$_} = [split /,/, ($text =~ /"$_": \[([^]]*)\]/)[0]]
        for qw(begins words);
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

# Numbers that are buttons behind a text.
sub buttons {
    return evaluate('[...document.querySelectorAll("#choice button")]' .
        '.filter(b => b.title.startsWith("' . $_[0] . '"))' .
        '.map(b => +b.textContent)');
}

# What lies where it should not.
sub look {
    my ($what) = @_;
    my $found = evaluate(<<'END');
(() => {
    const faults = [];
    const box = element => element.getBoundingClientRect();
    const overlap = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 &&
        a.top < b.bottom - 1 && b.top < a.bottom - 1;
    const inside = (a, b) => a.left >= b.left - 1 && a.right <= b.right + 1 &&
        a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
    const root = document.documentElement;
    if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight)
        faults.push("the page is larger than the window");
    const aside = document.querySelector("aside");
    for (const element of [aside, document.getElementById("choice")])
        if (element.scrollWidth > element.clientWidth)
            faults.push("overflow in " + element.tagName);
    const marks = box(document.getElementById("marks"));
    const numbers = [...document.querySelectorAll("#marks text")];
    if (numbers.length < 2)
        faults.push("few numbers of columns and rows");
    for (const number of numbers)
        if (!inside(box(number), marks))
            faults.push("beyond the edge: " + number.textContent);
    const legend = [...document.querySelectorAll("#key text")];
    if (legend.length < 10)
        faults.push("few texts in the legend");
    for (const text of legend)
        if (!inside(box(text), box(document.getElementById("key"))))
            faults.push("beyond the legend: " + text.textContent);
    const others = [...aside.querySelectorAll("h2, p, dt, dd, button, label")]
        .filter(element => !element.closest("#choice"));
    const chosen = [...document.querySelectorAll(
        "#choice h2, #choice p, #choice button")].slice(0, 300);
    for (const texts of [[...numbers, ...legend, ...others], chosen])
        texts.forEach((text, i) => {
            for (const other of texts.slice(i + 1))
                if (overlap(box(text), box(other)))
                    faults.push(text.textContent + " over " +
                                other.textContent);
        });
    return faults.slice(0, 5).join("; ");
})()
END
    expect($found eq '', "$what: $found");
}

# How bright the middle of a thing's colour is, from 0 to 255.
sub brightness {
    my ($id, $property) = @_;
    my $color = evaluate("getComputedStyle(document.getElementById('$id'))" .
        ".$property");
    my @parts = $color =~ /(\d+)/g;
    return ($parts[0] + $parts[1] + $parts[2]) / 3;
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
    expect(choice() =~ /^Block $wanted_block, column $column, row $row\n/,
        "a click on block $wanted_block: " . choice());
    expect("@{buttons('linedef')}" eq $wanted_list,
        "block $wanted_block lists @{buttons('linedef')}; expected were " .
        $wanted_list);
    my $stretches = () = evaluate(
        'document.getElementById("marked-lines").getAttribute("d")') =~ /M/g;
    expect($stretches == split(' ', $wanted_list), "$stretches lines marked");
    my @corner = map { $_ - 64 } $data->{originX} + $middle[0],
        $data->{originY} + $middle[1];
    expect(evaluate('document.getElementById("chosen").getAttribute("d")')
        =~ /^M$corner[0] $corner[1]h/, "block $wanted_block is not framed");
    look("block $wanted_block");
    take_screenshot('block');

    # Its neighbours, by the arrows.
    press('ArrowRight');
    my $next = $column + 1 < $columns ? $wanted_block + 1 : $wanted_block;
    expect(choice() =~ /^Block $next,/, "the block to the right");
    press('ArrowUp');
    $next += $columns if $row + 1 < $data->{rows};
    expect(choice() =~ /^Block $next,/, "the block above");
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
    my @expected = blocks_of($data, $line);
    expect("@$blocks" eq "@expected",
        "linedef $line is in blocks @$blocks; expected were @expected");
    my $squares = () = evaluate(
        'document.getElementById("marked-blocks").getAttribute("d")') =~ /M/g;
    expect($squares == @$blocks, "$squares blocks marked");
    look("linedef $line");
    press('0');
    take_screenshot('line');

    # From the line to its blocks and back, by the keyboard alone.
    press('Escape');
    find_text("linedef $line");
    for my $i (0 .. ($#$blocks < 3 ? $#$blocks : 3)) {
        my $block = $blocks->[$i];
        tab_to("block $block");
        press('Enter');
        expect(choice() =~ /^Block $block,/, "Enter on a block");
        expect(scalar(grep { $_ == $line } @{buttons('linedef')}),
            "block $block does not list $line");
        tab_to("linedef $line");
        press('Enter');
        expect(choice() =~ /^Linedef $line\n/, "Enter on a linedef");
    }

    # Behind a choice the arrows move what is chosen.
    tab_to("block $blocks->[0]");
    press('Enter');
    expect(focused() eq 'view', 'a choice leads to ' . focused());
    my $columns = $data->{columns};
    my $next = $blocks->[0] % $columns + 1 < $columns
        ? $blocks->[0] + 1 : $blocks->[0];
    press('ArrowRight');
    expect(choice() =~ /^Block $next,/, "the arrow behind a choice");
    press('Escape');
}

sub test_moves {
    my $whole = transform();
    expect(focused() eq 'view', "Escape leads to the map");
    press('+');
    my $near = scale();
    expect($near > (split ' ', $whole)[0], "+ does not zoom");
    press('-');
    expect(scale() < $near, "- does not zoom");
    press('0');
    expect(transform() eq $whole, "0 does not show the whole map");
    press('ArrowLeft');
    expect(transform() ne $whole, "an arrow does not move the map");
    press('0');

    my ($x, $y) = (400, 400);
    mouse('mouseMoved', $x, $y);
    mouse('mousePressed', $x, $y, button => 'left', clickCount => 1);
    mouse('mouseMoved', $x + $_ * 5, $y, button => 'left', buttons => 1)
        for 1 .. 6;
    mouse('mouseReleased', $x + 30, $y, button => 'left', clickCount => 1);
    my @before = split ' ', $whole;
    my @after = split ' ', transform();
    expect(abs($after[2] - $before[2] - 30) < 0.1 ||
        abs($after[2] - $before[2] - 25) < 0.1, "dragged by 30 pixels: " .
        ($after[2] - $before[2]));
    expect(choice() =~ /^Click/, "a drag chooses something");
    press('0');

    touch('touchStart', [350, 400], [450, 400]);
    touch('touchMove', [300, 400], [500, 400]);
    touch('touchEnd');
    my $factor = scale() / $before[0];
    expect(abs($factor - 2) < 0.01, "a pinch to twice the size: $factor");
    press('0');

    press('Enter');
    expect(choice() =~ /^Block /, "Enter chooses no block");
    press('Escape');
    press('Tab');
    expect(focused() eq 'closer', "Tab does not lead to the tools");
    press('Escape');
}

sub test_find {
    my ($data) = @_;
    my $lines = @{$data->{kinds}};
    my $marks = '["chosen", "marked-blocks", "marked-lines"].map(id => ' .
        'document.getElementById(id).getAttribute("d")).join("")';
    for my $text ("block $wanted_block", "b $wanted_block", "B$wanted_block") {
        find_text($text);
        expect(choice() =~ /^Block $wanted_block,/, "$text: " . choice());
        expect(evaluate($marks) ne '', "$text is not marked");
    }
    for my $text ('7', "bla $wanted_block", "lines $wanted_block", '1,2,3',
        '') {
        find_text("block $wanted_block");
        find_text($text);
        expect(choice() =~ /linedef 7.*block 7/s, "'$text': " . choice());
        expect(evaluate($marks) eq '', "a mark is left by '$text'");
    }
    find_text("line $lines");
    expect(choice() =~ /^There is no .* linedefs 0 to /, "found: " . choice());
    find_text('block 99999999');
    expect(choice() =~ /^There is no .* blocks 0 to /, "found: " . choice());
    expect(evaluate($marks) eq '', "a mark of what is not there");
    press('Escape');
}

# The colours of the legend are those of the map, and neighbours can be told
# apart: the contrast between them, as WCAG has it, is at least 1.15.
sub test_colours {
    my ($scheme) = @_;
    my $found = evaluate(<<'END');
(() => {
    const color = element => getComputedStyle(element).fill;
    const light = part => part <= 0.04045 ? part / 12.92
        : ((part + 0.055) / 1.055) ** 2.4;
    const luminance = element => {
        const [r, g, b] = color(element).match(/\d+/g).map(n => light(n / 255));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
    };
    const faults = [];
    const swatches = [...document.querySelectorAll("#key [class^=colour]")];
    if (swatches.length < 2 || swatches.length > 10)
        faults.push(swatches.length + " colours");
    swatches.forEach((swatch, i) => {
        const cells = document.getElementById(swatch.getAttribute("class"));
        if (cells && color(cells) !== color(swatch))
            faults.push(swatch.getAttribute("class") + " differs in the map");
        if (i === 0)
            return;
        const [a, b] = [luminance(swatch), luminance(swatches[i - 1])];
        const contrast = Math.max(a, b) / Math.min(a, b);
        if (contrast < (i === 1 ? 1.09 : 1.15))
            faults.push(`${contrast} between colours ${i - 1} and ${i}`);
    });
    return faults.join("; ");
})()
END
    expect($found eq '', "$scheme: $found");
}

# --- ---

open_page();
look('at first');
take_screenshot('light');
my $data = read_page();
test_blocks($data);
test_lines($data);
test_moves();
test_find($data);
test_colours('light');
expect(brightness('view', 'color') < 90, 'dark text on light was expected');
set_scheme('dark');
expect(brightness('view', 'color') > 165, 'light text on dark was expected');
look('dark');
test_colours('dark');
take_screenshot('dark');
evaluate('document.getElementById("view").focus()');
resize(420, 760);
look('a narrow window');
take_screenshot('narrow');
$session = undef;
call('Browser.close');
waitpid $browser, 0;
print "$_\n" for @faults;
exit(@faults > 0);
