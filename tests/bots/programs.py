"""One small program in each language: it reads a line and answers `seen`, a space and that line."""

from __future__ import annotations

# name of the language: (name of the file, source)
PROGRAMS: dict[str, tuple[str, str]] = {
    "python": ("bot.py", "print('seen', input(), flush=True)\n"),
    "c": (
        "bot.c",
        r"""#include <math.h>
#include <stdio.h>
int main(void) { char line[99]; if (scanf("%98s", line) && sqrt((double)line[0]) > 0) printf("seen %s\n", line); }
""",
    ),
    "c++": (
        "bot.cpp",
        r"""#include <iostream>
#include <string>
#include <thread>
int main() {
    std::string line;
    std::thread([&] { std::cin >> line; }).join();
    std::cout << "seen " << line << "\n";
}
""",
    ),
    "java": (
        "bot.java",
        """import java.util.Scanner;
public class Anything {
    public static void main(String[] args) { System.out.println("seen " + new Scanner(System.in).nextLine()); }
}
""",
    ),
    "javascript": ("bot.js", "console.log('seen ' + readline());\n"),
    "typescript": (
        "bot.ts",
        "declare function readline(): string;\nconst line: string = readline();\nconsole.log('seen ' + line);\n",
    ),
    "c#": (
        "bot.cs",
        'class Bot { static void Main() { System.Console.WriteLine("seen " + System.Console.ReadLine()); } }\n',
    ),
    "rust": (
        "bot.rs",
        """use std::io::stdin;
fn main() { let mut line = String::new(); stdin().read_line(&mut line).unwrap(); println!("seen {}", line.trim()); }
""",
    ),
    "go": (
        "bot.go",
        'package main\n\nimport "fmt"\n\nfunc main() { var s string; fmt.Scan(&s); fmt.Println("seen", s) }\n',
    ),
    "ruby": ("bot.rb", "puts 'seen ' + gets\n"),
    "perl": ("bot.pl", "my $line = <STDIN>; print 'seen ' . $line;\n"),
    "php": ("bot.php", "<?php echo 'seen ' . fgets(STDIN);\n"),
    "lua": ("bot.lua", "print('seen ' .. io.read())\n"),
    "shell": ("bot.sh", 'read -r line\nwords=("seen" "$line")\necho "${words[@]}"\n'),
    "haskell": ("bot.hs", 'main :: IO ()\nmain = getLine >>= putStrLn . ("seen " ++)\n'),
    "kotlin": ("my-bot.kt", 'fun main() { println("seen " + readLine()) }\n'),
    "scala": ("bot.scala", 'object Thinker extends App { println("seen " + io.StdIn.readLine()) }\n'),
    "swift": ("bot.swift", 'print("seen \\(readLine()!)")\n'),
    "zig": (
        "bot.zig",
        """const system = @import("std").os.linux;
pub fn main() void {
    var line: [99]u8 = undefined;
    const size = system.read(0, &line, line.len);
    _ = system.write(1, "seen ", 5);
    _ = system.write(1, &line, size);
}
""",
    ),
    "d": ("my-bot.d", 'import std.stdio;\nvoid main() { write("seen ", readln()); }\n'),
    "pascal": ("bot.pas", "var line: string;\nbegin readln(line); writeln('seen ', line) end.\n"),
    "ocaml": ("bot.ml", 'let () = print_endline ("seen " ^ input_line stdin)\n'),
    "nim": ("my-bot.nim", 'echo "seen ", readLine(stdin)\n'),
    "dart": ("bot.dart", "import 'dart:io';\nvoid main() { print('seen ${stdin.readLineSync()}'); }\n"),
    "julia": ("bot.jl", 'println("seen ", readline())\n'),
    "r": ("bot.R", "cat('seen', readLines(file('stdin'), 1))\n"),
    "fortran": (
        "bot.f90",
        "program bot\n  character(9) :: line\n  read *, line\n  print '(2a)', 'seen ', trim(line)\nend program\n",
    ),
    "tcl": ("bot.tcl", 'gets stdin line\nputs "seen $line"\n'),
    "lisp": ("bot.lisp", '(format t "seen ~a~%" (read-line))\n'),
    "scheme": (
        "bot.scm",
        '(use-modules (ice-9 rdelim))\n(display "seen ") (display (read-line)) (newline)\n',
    ),
    "racket": ("bot.rkt", '#lang racket\n(printf "seen ~a\\n" (read-line))\n'),
}
