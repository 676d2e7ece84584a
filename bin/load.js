// Loads the command line, which is one file of CommonJS, with the code that V8 compiled for it when it was built.
const { existsSync, readFileSync } = require("node:fs")
const Module = require("node:module")
const { dirname, join } = require("node:path")
const { Script } = require("node:vm")

/** Returns the path of the compiled code in a build. No other version of Node can use it. */
const codeCachePath = (dist) => join(dist, `serac-${process.version}-${process.arch}.cache`)

/** Returns the exports of the command line in a build. */
function load(dist) {
  const cache = codeCachePath(dist)
  if (existsSync(cache)) return loadScript(dist, readFileSync(cache)).exports
  // From 22.8 on, Node keeps compiled code itself where the folder can be written. It would also make the folder of a build that is missing.
  if (existsSync(dist)) Module.enableCompileCache?.(join(dist, "compileCache"))
  return require(join(dist, "serac.cjs"))
}

/** Runs the command line as a script, from which V8's compiled code can be taken. V8 ignores compiled code that it cannot use. */
function loadScript(dist, cachedData) {
  const filename = join(dist, "serac.cjs")
  // Only comments have characters beyond ASCII, and Latin-1 is read fastest.
  const script = new Script(Module.wrap(readFileSync(filename, "latin1")), { filename, cachedData })
  const loaded = { exports: {} }
  script
    .runInThisContext()
    .call(loaded.exports, loaded.exports, Module.createRequire(filename), loaded, filename, dirname(filename))
  return { exports: loaded.exports, script }
}

module.exports = { codeCachePath, load, loadScript }
