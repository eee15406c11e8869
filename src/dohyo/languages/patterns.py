"""Patterns by which a source says what it is: one that only tests the program, or the one in which it begins.

Strangers write what is searched here: each pattern reads a text once, from the beginnings of lines.
"""

from __future__ import annotations

# --- what only tests: it needs a library that is on no machine which only plays

PYTHON_TESTS = r"^(?:import|from)[ \t]++(?:pytest|unittest|nose|hypothesis)\b"
C_TESTS = (
    r"^[ \t]*+#[ \t]*+include[ \t]*+(?:[<\"](?:gtest|gmock|catch2|boost/test|cppunit|CppUTest|cxxtest|criterion|"
    r"UnitTest\+\+)/|[<\"](?:catch|catch_amalgamated|doctest|cmocka|CppUnitTest)\.h(?:pp)?[>\"]|<check\.h>)"
)
SCRIPT_TESTS = (
    r"^(?:.*\b(?:require[ \t]*+\([ \t]*+|from[ \t]++))?(?:import[ \t]++)?['\"]"
    r"(?:mocha|chai|jest|@jest/globals|jasmine|tape|ava|vitest|node:test)['\"]|^describe[ \t]*+\("
)
GO_TESTS = r"^//[ \t]*+(?:\+build|go:build)[ \t]++ignore\b|^(?:import[ \t]++|[ \t]++)\"testing\""
RUBY_TESTS = r"^require[ (]*+['\"](?:minitest|test/unit|rspec)\b"
SWIFT_TESTS = r"^(?:@testable[ \t]++)?import[ \t]++XCTest\b|^@testable[ \t]++import\b"
DART_TESTS = r"^import[ \t]++['\"]package:(?:test|flutter_test)/"

# --- where a program begins: the main one of several scripts

PYTHON_MAIN = r"^if[ \t\f]+__name__[ \t\f]*==[ \t\f]*['\"]__main__['\"]"

# --- the same, in languages of which all sources of a folder are compiled together

GO_MAIN = r"^func[ \t]++main[ \t]*+\("
D_MAIN = r"^[ \t]*+(?:void|int|auto)[ \t]++main[ \t]*+\("
SWIFT_MAIN = r"^@main\b"
