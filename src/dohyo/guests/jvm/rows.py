"""The rows of Java, Kotlin and Scala, and of Java's archives; `dohyo.languages.language` says what a column means.

Places in the words of their ways, beside those of `dohyo.languages.table`:

    {class} {libraries} the class with `main`; the hand-in and its libraries, as a class path (Java, Scala)
"""

from __future__ import annotations

from dohyo.guests.jvm.scala_names import named_in_scala
from dohyo.languages.crash_forms import Traceback
from dohyo.languages.language import Home, Language, Way

_TESTS = (
    r"^[ \t]*+import[ \t]++(?:static[ \t]++)?(?:(?:org\.)?junit|org\.(?:testng|mockito|assertj|hamcrest|scalatest|"
    r"scalacheck|specs2)|kotlin\.test|io\.(?:kotest|kotlintest|mockk)|utest|munit|zio\.test)\b"
)
# Functions of Java's, Kotlin's and Scala's own libraries are no places of the author's.
_TRACE = Traceback(
    r"\s*at (?:(?P<function>.*)[ (])?(?P<file>[^\s()]+\.(?:java|kt|scala)):(?P<line>\d+)",
    begins=r"\s*Caused by: ",
    foreign=r"(?:java|javax|jdk|sun|kotlin|scala)[./]|java\.base@",
)

# A bot should start fast and think fast. The serial collector starts fewer threads and does not compete with the bot
# for the cores, and no file is left in /tmp. The tiered compilers stay as they are: TieredStopAtLevel=1, often
# recommended for a quick start, saved nothing of the 30 ms when measured, and would lose, for the whole match, what
# the optimising compiler gains in a bot that searches. Texts are UTF-8 whatever the operator's locale: replies are
# compared byte by byte.
_JVM = (
    *("-Xshare:auto", "-XX:+UseSerialGC", "-XX:-UsePerfData"),
    *("-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8", "-Dstderr.encoding=UTF-8"),
)
# javac itself lives for a second: for it, the quick compiler alone halves the time (0.7 s to 0.3 s).
_JAVAC = (
    *("javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-J-XX:-UsePerfData"),
    *("-encoding", "UTF-8", "-proc:none", "-nowarn"),
)
# Only what the program needs is compiled: `{sources}`, and what these name beside them. A class that was built before
# and lies in the folder is no use.
_JAVA_SOURCES = ("-cp", "{libraries}", "-sourcepath", ".", "-Xprefer:source", "-d", "classes", "{sources}")
_JAVA = Way(
    ("javac", "java"),
    ("java", *_JVM, "-cp", "{build}/classes:{libraries}", "{class}"),
    ((*_JAVAC, *_JAVA_SOURCES),),
    ("-version",),
    # An older java than the javac would refuse its classes; the one of the same installation never does.
    beside=(("java", "javac"),),
    debug=((*_JAVAC, "-g", *_JAVA_SOURCES),),
    debug_run=("java", "-enableassertions", *_JVM, "-cp", "{build}/classes:{libraries}", "{class}"),
)

JAVA = Language(
    "java",
    (".java",),
    "apt install default-jdk-headless",
    (_JAVA,),
    whole=True,
    builder="dohyo.guests.jvm.java:java_plan",
    names_all=True,
    beside="dohyo.guests.jvm.java:beside",
    no_sources=("module-info.java",),
    keeps_folders=True,  # what those of a package are called says where its resources are found
    interpreters=("java",),
    memory=("-XX:MaxRAM={all}m", "-XX:MaxRAMPercentage=60"),
    settings=("java-*",),
    home=Home("JAVA_HOME", ("java", "javac", "kotlinc", "scala", "scalac")),
    flush="System.out.flush();",
    crash_forms=(_TRACE,),
    tests=_TESTS,
)

KOTLIN = Language(
    "kotlin",
    (".kt",),
    "apt install kotlin",
    (
        Way(
            ("kotlinc", "java"),
            ("java", *_JVM, "-jar", "{build}/bot.jar"),
            (("kotlinc", "-nowarn", "{sources}", "-include-runtime", "-d", "bot.jar"),),
            ("-version",),
        ),
    ),
    whole=True,
    builder="dohyo.guests.jvm.kotlin:kotlin_plan",
    flush="System.out.flush()",
    crash_forms=(_TRACE,),
    tests=_TESTS,
)

SCALA = Language(
    "scala",
    (".scala",),
    "apt install scala",
    (
        Way(
            ("scalac", "scala"),
            ("scala", "-cp", "{build}/bot.jar", "{class}"),
            (("scalac", "-nowarn", "-d", "bot.jar", "{sources}"),),
            ("-version",),
            also=("java",),
        ),
        # The script `scala` takes half a second to find Java; this command is used if its libraries are found.
        Way(
            ("scalac", "java"),
            ("java", *_JVM, "-cp", "{build}/bot.jar:{libraries}", "{class}"),
            (("scalac", "-nowarn", "-d", "bot.jar", "{sources}"),),
            ("-version",),
            # Scala 2 and 3 keep their libraries in `lib`, Scala 3 from 3.5 on in `maven2`.
            installed=("lib/*.jar", "maven2/org/scala-lang/*/*/*.jar"),
        ),
    ),
    whole=True,
    builder="dohyo.guests.jvm.scala:scala_plan",
    names_all=True,
    mentions=(named_in_scala,),
    flush="System.out.flush()",
    crash_forms=(_TRACE,),
    tests=_TESTS,
)

# Results of compilers on other machines, which run on any machine.
ARCHIVE = Language(
    "java archive",
    (".jar",),
    "apt install default-jre-headless",
    (Way(("java",), ("java", *_JVM, "-jar", "{source}"), version=("-version",)),),
    is_aside=True,
)
