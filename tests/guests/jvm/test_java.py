"""Java as it is really handed in: whatever the file is called, wherever `main` hides."""

from __future__ import annotations

from pathlib import Path

import pytest

from dohyo.bots.stripped import strip
from dohyo.core.errors import BuildError, OperatorError
from dohyo.guests.jvm.java import best, read_java
from dohyo.guests.jvm.kotlin import kotlin_mains
from dohyo.guests.jvm.scala import scala_mains
from tests import skips
from tests.bots.conftest import Resolve, Write, run

SAY = 'System.out.println("seen hello");'

# What an author may hand in as one file called `bot.java`, by what is odd about it; SAY stands for a statement.
ODD = {
    "a public class of another name": "public class Foo { public static void main(String[] args) { SAY } }",
    "a package": "package a.b.c; public class Foo { public static void main(String[] a) { SAY } }",
    "no public class, main in the second": "class A { } class B { public static void main(String a[]) { SAY } }",
    "final varargs": "class A { static public final void main(final String... args) throws Exception { SAY } }",
    "a fully named String": "class A { public static void main(java.lang.String[] a) { SAY } }",
    "an interface": "interface A { static void main(String[] a) { SAY } }",
    "a record": "record A(int x) { public static void main(String[] a) { SAY } }",
    "an enum": "enum A { X { void f() { } }; void f() { } public static void main(String[] a) { SAY } }",
    "a nested class": "class A { static class B { public static void main(String[] a) { SAY } } }",
    "an annotation with braces": """@SuppressWarnings({"x", "y"}) public class A {
        @SafeVarargs @Deprecated public static void main(String... a) { SAY } }""",
    "mains that are only mentioned": """
        // class No { public static void main(String[] a) {} }
        /* public class Neither { public static void main(String[] a) {} */
        class A {
            String s = "class Nor { public static void main(String[] a) {} } \\" // ";
            char c = '"', d = '\\'';
            String t = \"\"\"
                public class This { public static void main(String[] a) { " }
                \"\"\";
            Object o = String.class;
        }
        class Yes { public static void main(String[] a) { SAY } }""",
    "methods called main that begin nothing": """class A { int main(String[] a) { return 1; } void main(int x) { } }
        class B { static void main() { } }
        class C { public static void main(String[] a) { new Object() { void main(String[] a) { } }; SAY } }""",
    "a variable called record": """class A { public static void main(String[] a) {
        int record = 1; class Local { } SAY } }""",
    "a byte order mark": "\ufeffpublic class A { public static void main(String[] a) { SAY } }",
    "line ends of Windows": "public class A {\r\n  public static void main(String[] a) {\r\n SAY\r\n }\r\n}\r\n",
    "generic types": """class A<T extends Comparable<T>> { record P<X>(X x) { }
        public static void main(String[] a) { SAY } }""",
}


FOUND = {  # the class that begins the program, where it is not `A`
    "a public class of another name": "Foo",
    "a package": "a.b.c.Foo",
    "no public class, main in the second": "B",
    "a nested class": "A$B",
    "mains that are only mentioned": "Yes",
    "methods called main that begin nothing": "C",
}
# Built and started in each run: a package, text that is not plain; of all the main is found.
BUILT = {"a package", "a byte order mark"}


@pytest.mark.parametrize("what", sorted(ODD))
def test_the_main_of_one_file(what: str) -> None:
    """The class with `main` is found by what the source says."""
    (main, *more) = best(read_java(ODD[what].replace("SAY", SAY), "bot").mains, ["bot"])
    assert (main.name, more) == (FOUND.get(what, "A"), [])


@pytest.mark.parametrize(
    "what", [pytest.param(what, marks=() if what in BUILT else pytest.mark.full) for what in sorted(ODD)]
)
def test_one_file(what: str, write: Write, one: Resolve) -> None:
    """The class with `main` is found, built and started."""
    skips.program("javac")
    assert run(one(write({"bot.java": ODD[what].replace("SAY", SAY)}) / "bot.java")) == "seen hello"


@pytest.mark.parametrize(
    "encoding", [*(pytest.param(each, marks=pytest.mark.full) for each in ("latin-1", "utf-16")), "cp932"]
)
def test_comments_in_old_encodings(encoding: str, write: Write, one: Resolve) -> None:
    """A source in the encoding of an older editor builds, which javac alone refuses."""
    skips.program("javac")
    comment = "日本語の表" if encoding != "latin-1" else "café*"
    source = f"// {comment}\nclass A {{ /* {comment} */ public static void main(String[] a) {{ {SAY} }} }}"
    assert run(one(write({"bot.java": source.encode(encoding)}) / "bot.java")) == "seen hello"


def test_texts_are_utf_8(write: Write, one: Resolve, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a bot prints is UTF-8, also where the operator's locale is the plain one."""
    skips.program("javac")
    monkeypatch.setenv("LC_ALL", "C")
    source = 'class A { public static void main(String[] a) { System.out.println("相撲"); } }'
    assert run(one(write({"bot.java": source}) / "bot.java")) == "相撲"


def test_first_of_several_mains_in_one_file(write: Write, one: Resolve, full: bool) -> None:
    """The public class is started; without one, that with the file's name, or a usual one, else the first."""
    skips.program("javac")
    text = 'class {} {{ public static void main(String[] a) {{ System.out.println("{}"); }} }}\n'
    several = "".join(text.format(name, name) for name in ("First", "Second", "Third"))
    files = {
        "second.java": several,
        "other.java": several,
        "third.java": several.replace("class Fi", "public class Fi"),
        "fourth.java": several.replace("Third", "Player"),
    }
    folder = write(files)
    found = dict(zip(files, ("Second", "First", "First", "Player"), strict=True))
    for name in files if full else ("second.java", "third.java"):
        assert run(one(folder / name)) == found[name]


def test_classes_beside_the_file(write: Write, one: Resolve) -> None:
    """A class that the source names and that lies beside it is compiled too, and is part of the bot's digest."""
    skips.program("javac")
    files = {
        "Main.java": "class Main { public static void main(String[] a) { System.out.println(new Helper().say()); } }",
        "Helper.java": "class Helper { String say() { return Words.SEEN; } }",
        "Words.java": 'class Words { static final String SEEN = "seen hello"; }',
        "Broken.java": "class Broken { this is no Java }",
    }
    folder = write(files)
    bot = one(folder / "Main.java")
    assert run(bot) == "seen hello"
    write({"Words.java": 'class Words { static final String SEEN = "seen more"; }'})
    changed = one(folder / "Main.java")
    assert run(changed) == "seen more"
    assert changed.digest != bot.digest


def test_programs_beside_the_file(write: Write, one: Resolve) -> None:
    """In a folder full of bots, another author's Random, List and Board are not taken for one's own."""
    skips.program("javac")
    files = {
        "Mine.java": "import java.util.*; import java.util.List; class Mine { public static void main(String[] a) {"
        f" new Random().nextInt(6); List<Board> b = null; {SAY} }} }} class Board {{ }}",
        "List.java": "class List { this is somebody's idea of a list }",
        "Board.java": "class Board { this is somebody's idea of a board }",
        "Random.java": "class Random { public static void main(String[] a) { } }",
    }
    assert run(one(write(files) / "Mine.java")) == "seen hello"


def test_a_file_in_its_package(write: Write, one: Resolve) -> None:
    """One file brings along nothing from above its folder; whose package lies there is handed in as a folder."""
    skips.program("javac")
    files = {
        "src/a/b/Main.java": "package a.b; import a.c.*; import static a.d.Words.say;"
        "public class Main { public static void main(String[] x) { say(new Board()); } }",
        "src/a/c/Board.java": "package a.c; public class Board { }",
        "src/a/d/Words.java": f"package a.d; public class Words {{ public static void say(Object o) {{ {SAY} }} }}",
    }
    with pytest.raises(BuildError, match="hand in its whole folder if it misses a file"):
        one(write(files) / "src/a/b/Main.java")
    assert run(one(write(files) / "src")) == "seen hello"


def test_a_folder_of_packages(write: Write, one: Resolve) -> None:
    """All sources of a folder are compiled; resources, libraries and data are found; tests are left out."""
    skips.program("javac")
    files = {
        "src/a/Main.java": """package a; import java.io.*; import java.nio.file.*;
            public class Main { public static void main(String[] x) throws Exception {
                var stream = Main.class.getResourceAsStream("/weights.txt");
                String own = new String(stream.readAllBytes()), same = Files.readString(Path.of("weights.txt"));
                System.out.println(own.equals(same) ? own : "differs"); } }""",
        "src/a/Other.java": "package a; class Other { public static void main(String[] x) { } }",
        "src/a/MainTest.java": "package a; import org.junit.Test; class MainTest { @Test public void main() { } }",
        "module-info.java": "module bot { requires java.nonsense; }",
        "weights.txt": "seen hello",
    }
    assert run(one(write(files))) == "seen hello"


def test_only_a_package_in_a_folder(write: Write, one: Resolve) -> None:
    """A folder that holds nothing but the folders of a package is no wrapping that could be taken off."""
    skips.program("javac")
    files = {
        "com/me/bot/Main.java": "package com.me.bot; public class Main { public static void main(String[] x) throws"
        ' Exception { System.out.print(new String(Main.class.getResourceAsStream("w.txt").readAllBytes())); } }',
        "com/me/bot/w.txt": "seen hello",
    }
    assert run(one(write(files))) == "seen hello"


def test_misnamed_files_in_a_folder(write: Write, one: Resolve) -> None:
    """In a folder too, sources may be called as they like."""
    skips.program("javac")
    files = {
        "main-v2 final.java": f"public class Bot {{ public static void main(String[] a) {{ new Board(); {SAY} }} }}",
        "the board.java": "public class Board { }",
    }
    assert run(one(write(files))) == "seen hello"


def test_no_main(write: Write, one: Resolve) -> None:
    """Without a `main` that Java starts, the sentence says what to add."""
    skips.program("javac")
    folder = write({"a.java": "class A { public void main(String[] a) { } }", "b/B.java": "class B { }"})
    for spec in (folder / "b", folder / "b/B.java"):
        with pytest.raises(OperatorError, match="add 'public static void main"):
            one(spec)


def test_several_mains_in_a_folder(write: Write, one: Resolve) -> None:
    """Where several classes could be meant, all are named."""
    skips.program("javac")
    text = "class {} {{ public static void main(String[] a) {{ }} }}"
    folder = write({f"{name}.java": text.format(name) for name in ("Left", "Right")})
    with pytest.raises(OperatorError, match=r"\(Left, Right\)"):
        one(folder)


def test_what_javac_says(write: Write, one: Resolve) -> None:
    """The compiler's message names the place as the author knows it."""
    skips.program("javac")
    path = write({"bot.java": "class A {\n  public static void main(String[] a) { int x = true; }\n}"}) / "bot.java"
    with pytest.raises(BuildError) as caught:
        one(path)
    assert "bot.java:2: error: incompatible types" in caught.value.log


def test_two_files_of_one_class(write: Write, one: Resolve) -> None:
    """Of two files with one class, the one that lies and is called as the class is counts, and the other is told."""
    skips.program("javac")
    main = f"class A {{ public static void main(String[] a) {{ new B(); {SAY} }} }}"
    bot = one(write({"A.java": main, "B.java": "class B { }", "old/B.java": "class B { int x = true; }"}))
    assert (run(bot), bot.left_out) == ("seen hello", ("old/B.java",))


def test_two_files_that_could_be_one_class(write: Write, one: Resolve) -> None:
    """Where nothing tells them apart, the compiler says what is wrong."""
    skips.program("javac")
    main = "class A { public static void main(String[] a) { new B(); } }"
    with pytest.raises(BuildError) as caught:
        one(write({"A.java": main, "x/C.java": "class B { }", "y/D.java": "class B { }"}))
    assert "duplicate class: B" in caught.value.log


DEBRIS = {
    ".gitignore": "*.class",
    "README.md": "# bot",
    "src/com/me/Player.java": "package com.me; import com.me.deep.*; import com.me.util.Words.Inner; class Player {"
    " public static void main(String[] a) { String end = new Beside().y + com.me.far.Far.z;"
    " System.out.println(Said.it() + Inner.x + end); } }",
    "src/com/me/Several.java": 'package com.me; class Unused { } class Beside { String y = "o"; }',
    "src/com/me/deep/Said.java": "package com.me.deep; public class Said { "
    'public static String it() { return "seen"; } }',
    "src/com/me/util/Words.java": "package com.me.util; public class Words { public static class Inner {"
    ' public static String x = " hell"; } }',
    "src/com/me/far/Far.java": 'package com.me.far; public class Far { public static String z = ""; }',
    "src/com/me/Player_old.java": "package com.me; public class Player { old }",
    "src/com/me/Broken.java": "package com.me; class Broken { this is no Java }",
    "src/org/other/Gui.java": "package org.other; import javafx.scene.Scene; class Gui { Scene s; }",
    "it/PlayerIT.java": "package com.me; import org.testng.Assert; class PlayerIT { }",
    "Beside.class": "stale",
}


def test_debris_does_not_break_a_build(write: Write, one: Resolve) -> None:
    """Only what the class to start needs is compiled: old versions, other programs and tests may stand beside it."""
    skips.program("javac")
    bot = one(write(DEBRIS))
    assert run(bot) == "seen hello"
    left = {"src/com/me/Broken.java", "src/com/me/Player_old.java", "src/org/other/Gui.java", "it/PlayerIT.java"}
    assert left <= set(bot.left_out)
    assert "src/com/me/Several.java" not in bot.left_out


def test_classes_that_are_found_by_name(write: Write, one: Resolve) -> None:
    """A program that looks for classes at run time gets all of them."""
    skips.program("javac")
    files = {
        "Main.java": "class Main { public static void main(String[] a) throws Exception {"
        ' System.out.println(Class.forName("Hid" + "den").getDeclaredConstructor().newInstance()); } }',
        "Hidden.java": 'public class Hidden { public String toString() { return "seen hello"; } }',
    }
    assert run(one(write(files))) == "seen hello"


def test_mains_inside_of_methods() -> None:
    """A class that is declared in a method, or has no name, begins no program."""
    text = """class A { Object o = new Object() { public static void main(String[] a) { } };
        void f() { class B { public static void main(String[] a) { } } } }"""
    assert read_java(text, "x").mains == ()


def test_short_mains() -> None:
    """A `main` that only Java 25 starts is seen as such, also in a file that declares no class."""
    mains = read_java('void main() { IO.println("hi"); } record P(int x) { }', "bot").mains
    assert [(main.name, main.old_style) for main in mains] == [("bot", False)]
    assert [
        main.name for main in read_java("class A { void main() { } private void main(String[] a) { } }", "x").mains
    ]
    assert not read_java("class A { private static void main(String[] a) { } }", "x").mains


def test_best_main() -> None:
    """What every Java starts counts before a name that fits, a name before being public."""
    java = read_java(
        """class Bot { void main() { } } class Main { public static void main(String[] a) { } }
        public class Third { public static void main(String[] a) { } }
        class Fourth { static class Main { public static void main(String[] a) { } } }""",
        "x",
    )
    assert [main.name for main in best(java.mains, [])] == ["Third"]
    assert [main.name for main in best(java.mains, ["main", "bot"])] == ["Main"]


@pytest.mark.parametrize(
    "source",
    ['"""' + "\\a" * 100_000, "class A {" * 100_000, "class A " * 30_000, "class A { void main() {} }" * 30_000],
)
def test_no_source_takes_longer_to_read_than_its_size_asks_for(source: str) -> None:
    """Sources are read outside of any sandbox: one that was made to take for ever is read like any other."""
    assert len(read_java(source, "A").mains) <= 50


def test_stripping_keeps_lines() -> None:
    """Without comments and strings a text has the same lines as before, unfinished comments included."""
    text = 'a /* "x\n // */ b "/*" c // "\nd \'"\' e /* never\nclosed'
    assert strip(text).split("\n") == ["a ", " b   c  ", "d   e ", ""]


def test_scala_mains() -> None:
    """Objects that extend App, that define main, and functions marked as main are found, with their package."""
    text = """package a.b
    object One extends Logging with App { def main(x: Int) = 1 }
    object Two { val x = 1; def main(args: Array[String]): Unit = { } }
    object Three { def other = "def main(" } // object Four extends App
    @main def five() = ()"""
    assert scala_mains(text) == ["a.b.One", "a.b.Two", "a.b.five"]


def test_scala_mains_that_cannot_be_started() -> None:
    """What lies within another object, or in a class, begins no program; braces of packages are none of these."""
    text = """package a {
      object Out { object In { val x = 1 }
        def main(args: Array[String]) { } }
      class C { object No { def main(args: Array[String]) { } } }
    }"""
    assert scala_mains(text) == ["a.Out"]
    text = "package a.b\nimport c._\nobject Out {\n  object In { }\n  def main(args: Array[String]) { }\n}\n"
    assert scala_mains(text) == ["a.b.Out"]
    assert scala_mains("object Two:\n  val x = 1\n  def main(args: Array[String]): Unit = ()\n") == ["Two"]


def test_kotlin_mains() -> None:
    """A function of the file, and those that an object has for Java, are found by the JVM's names."""
    text = """package x.y
    fun main(args: Array<String>) { fun main() { } }
    object O { @JvmStatic fun main(a: Array<String>) { } }
    class C(val f: () -> Unit = { }) { companion object { @JvmStatic fun main(a: Array<String>) { } }
        fun main() { } }"""
    assert kotlin_mains(text, "src/my-bot.kt") == ["x.y.My_botKt", "x.y.O", "x.y.C"]
    assert kotlin_mains('@file:JvmName("Start")\nfun main() { }', "a.kt") == ["Start"]


def test_windows_paths_are_no_escapes(tmp_path: Path) -> None:
    """A backslash at the end of a string does not swallow what follows."""
    java = read_java(r'class A { String s = "C:\\"; public static void main(String[] a) { } } class B { }', "A")
    assert java.types == ("A", "B")
    assert [main.name for main in java.mains] == ["A"]
