"use strict";
/*
 * What contest sites define for JavaScript and Node does not: readline(), print(), printErr().
 *
 * Loaded before every bot in JavaScript, so that a bot written for such a site runs as it is. A bot that declares
 * these names itself, or never uses them, notices nothing: standard input is not touched before readline() is called.
 */
const fs = require("fs");

let pending = Buffer.alloc(0);
let ended = false;

/** Read some more of standard input; wait for it where somebody made the pipe non-blocking. */
function fill() {
    const chunk = Buffer.alloc(65536);
    for (;;) {
        try {
            const size = fs.readSync(0, chunk, 0, chunk.length, null);
            ended = size === 0;
            pending = Buffer.concat([pending, chunk.subarray(0, size)]);
            return;
        } catch (error) {
            if (error.code === "EOF") {
                ended = true;
                return;
            }
            if (error.code !== "EAGAIN") throw error;
            Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
        }
    }
}

const globals = {
    /** The next line of standard input without its end, or null when there is none. */
    readline() {
        let end;
        while ((end = pending.indexOf(10)) < 0 && !ended) fill();
        if (end < 0 && pending.length === 0) return null;
        const line = pending.subarray(0, end < 0 ? pending.length : end).toString("utf8");
        pending = end < 0 ? Buffer.alloc(0) : pending.subarray(end + 1);
        return line.endsWith("\r") ? line.slice(0, -1) : line;
    },
    print(...words) {
        console.log(...words);
    },
    printErr(...words) {
        console.error(...words);
    },
};

for (const [name, value] of Object.entries(globals)) {
    if (!(name in globalThis)) {
        Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
    }
}
