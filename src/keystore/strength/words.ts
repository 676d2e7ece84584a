/*!
 * The word lists of zxcvbn 1.1.0.
 * Copyright (c) 2012 Dropbox, Inc.
 *
 * Permission is hereby granted, free of charge, to any person obtaining
 * a copy of this software and associated documentation files (the
 * "Software"), to deal in the Software without restriction, including
 * without limitation the rights to use, copy, modify, merge, publish,
 * distribute, sublicense, and/or sell copies of the Software, and to
 * permit persons to whom the Software is furnished to do so, subject to
 * the following conditions:
 *
 * The above copyright notice and this permission notice shall be
 * included in all copies or substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND,
 * EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
 * MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
 * NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
 * LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION
 * OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION
 * WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
 */

/// <reference path="./br.d.ts" />
import { brotliDecompressSync } from "node:zlib"
import type { Words } from "./dictionary.js"

/**
 * Loads the words that people choose from words.br, and their ranks from ranks.br (16 bits each, little-endian, in the same order).
 * Both are made by scripts/words.mjs, take 300 kB together, and are read at this call and not before.
 */
export async function loadWords(): Promise<Words> {
  const [words, ranks] = await Promise.all([unpacked(import("./words.br")), unpacked(import("./ranks.br"))])
  return {
    words: fromFrontCoded(words.toString("latin1").split("\n")),
    ranks: Uint16Array.from({ length: ranks.length / 2 }, (_, index) => ranks.readUInt16LE(index * 2)),
  }
}

async function unpacked(file: Promise<{ readonly default: Uint8Array }>): Promise<Buffer> {
  return brotliDecompressSync((await file).default)
}

const NOTHING_SHARED = "a".charCodeAt(0)

/** Each line is how many characters a word shares with the one before (as a letter, `a` for none), and the rest. */
function fromFrontCoded(lines: readonly string[]): string[] {
  let word = ""
  return lines.map((line) => {
    word = word.slice(0, line.charCodeAt(0) - NOTHING_SHARED) + line.slice(1)
    return word
  })
}
