"""The rows of C# and of programs for .NET; `dohyo.languages.language` says what a column means.

Places in the words of their ways, beside those of `dohyo.languages.table`:

    {project} {assembly} {framework} the project's file, the name of what it makes, this machine's .NET
"""

from __future__ import annotations

from dohyo.languages.crash_forms import Traceback
from dohyo.languages.language import Home, Language, Way

_TESTS = (
    r"^[ \t]*+(?:global[ \t]++)?using[ \t]++(?:static[ \t]++)?"
    r"(?:NUnit|Xunit|Microsoft\.VisualStudio\.TestTools|FluentAssertions|Moq|NSubstitute)\b"
)
_TRACE = Traceback(
    r"\s*at (?P<function>[^ (]+) ?\(.* in (?P<file>[^\s:]+\.cs):(?:line )?(?P<line>\d+)",
    says=r"(?:Unhandled [Ee]xception[.:] )?(?P<said>[A-Z][\w.]*Exception: .+)",
    foreign=r"(?:System|Microsoft)[./]",
)

_DOTNET_OPTIONS = ("-o", "out", "--nologo", "-nodeReuse:false", "-v:quiet")
# An author's project may be for another .NET than this one's: then this one builds it for itself.
_FOR_THIS = "-p:TargetFramework={framework}"
_DOTNET_BUILD = ("dotnet", "build", "{project}", "-c")
_DOTNET = Way(
    ("dotnet",),
    ("dotnet", "{build}/out/{assembly}.dll"),
    tuple((*_DOTNET_BUILD, "Release", *_DOTNET_OPTIONS, *more) for more in ((), (_FOR_THIS,))),
    probe=True,  # a runtime without the SDK does not report a version
    debug=tuple((*_DOTNET_BUILD, "Debug", *_DOTNET_OPTIONS, *more) for more in ((), (_FOR_THIS,))),
)
_MCS = ("mcs", "-nologo", "-optimize+", "-unsafe+")
_MCS_DEBUG = ("mcs", "-nologo", "-debug", "-checked+", "-unsafe+", "-d:DEBUG,TRACE")
_MONO = Way(
    ("mcs", "mono"),
    ("mono", "{program}.exe"),
    (
        (*_MCS, "-r:System.Numerics", "-out:{program}.exe", "{sources}"),
        (*_MCS, "-out:{program}.exe", "{sources}"),  # if that library is not installed
    ),
    debug=(
        (*_MCS_DEBUG, "-r:System.Numerics", "-out:{program}.exe", "{sources}"),
        (*_MCS_DEBUG, "-out:{program}.exe", "{sources}"),
    ),
    debug_run=("mono", "--debug", "-O=-inline", "{program}.exe"),
)

CSHARP = Language(
    "c#",
    (".cs",),
    "apt install mono-mcs mono-runtime",
    (_DOTNET, _MONO),
    whole=True,
    mains=("Program",),
    builder="dohyo.guests.dotnet.csharp:csharp_plan",
    reads_utf16=True,
    settings=("mono",),
    home=Home("DOTNET_ROOT", ("dotnet",)),
    build_settings=(
        ("DOTNET_CLI_TELEMETRY_OPTOUT", "1"),
        ("DOTNET_NOLOGO", "1"),
        ("MSBUILDDISABLENODEREUSE", "1"),
    ),
    flush="Console.Out.Flush();",
    crash_forms=(_TRACE,),
    tests=_TESTS,
)

# What a compiler on another machine has made, which runs on any machine.
PROGRAM = Language(
    ".net",
    (".exe",),
    "apt install mono-runtime",
    (Way(("mono",), ("mono", "{source}")),),
    is_aside=True,
)
