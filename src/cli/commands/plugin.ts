import { printJson } from "../../core/lib/json.js"
import { nearest } from "../../core/lib/nearest.js"
import { idText } from "../../core/types/id.js"
import { buildPlugin } from "../../vmhost/build/buildPlugin.js"
import { BUILT_VMS, DEFAULT_VERSION } from "../../vmhost/build/pluginSource.js"
import { pluginsIn, requirePlugin, vmName } from "../../vmhost/plugin/pluginFiles.js"
import { type PluginVersion, pluginVersion } from "../../vmhost/plugin/pluginProcess.js"
import { command } from "../command.js"
import { cliError } from "../errors.js"
import { flagWithDefault, optionalFlag } from "../flags/flags.js"
import { onOff, path, text } from "../flags/flagTypes.js"
import type { Terminal } from "../terminal.js"
import { factLines, textTable } from "../textTable.js"

const VERBS = ["build", "list"] as const

const verbsOf = { version: "build", out: "build", cache: "build", "plugin-dir": "list" } as const

const pluginFlags = {
  version: flagWithDefault(
    text,
    "The release of AvalancheGo whose VM is built, or one of the VM's own earlier module, such as v0.8.0",
    DEFAULT_VERSION,
  ),
  out: flagWithDefault(path("DIR"), "The directory of plugins that gets the file", "plugins"),
  cache: optionalFlag(path("DIR"), "A directory that keeps what was built, for the next time and for other machines of the kind"),
  "plugin-dir": flagWithDefault(path("DIR"), "The directory of VM plugins that is listed", "plugins"),
  json: flagWithDefault(onOff, "Prints JSON", false),
}

/** `serac plugin`: VM plugins that follow the clock of a private chain. */
export const pluginCommand = command({
  takes: "build (subnet-evm|coreth) | list",
  count: [1, 2],
  about: `
build makes the plugin of a VM from its published module, with Go and a C compiler of this machine. Its clock can be moved with that of the private
chain: it is built with one more file for Go's package time, in a directory of its own, and nothing of Go is changed. The plugin is started
to see that it follows a clock before it is put into the directory. list shows the plugins of a directory, each of which it starts: the VM, the version,
the plugin protocol, and what it does with the clock of a private chain.`,
  examples: [
    { call: "serac plugin build subnet-evm", does: "into ./plugins, for serac node --plugin-dir plugins" },
    { call: "serac plugin build coreth --cache .cache/serac", does: "the C-Chain's VM, from a directory that CI keeps" },
    { call: "serac plugin list --plugin-dir plugins", does: "what there is, and whether its clock can be moved" },
  ],
  flags: pluginFlags,
  rules: Object.entries(verbsOf).map(([flag, verb]) => ({
    flags: [flag as keyof typeof verbsOf],
    applies: (_: unknown, [given = ""]: readonly string[]) => given !== verb,
    reason: `only serac plugin ${verb} has it`,
  })),
  words: VERBS,
  async run({ flags, args: [verb = "", name] }, terminal) {
    if (verb === "list") {
      if (name !== undefined) throw cliError("cli.extra_argument", { argument: name, takes: "list" })
      return list(flags["plugin-dir"], flags.json, terminal)
    }
    if (verb !== "build") throw unknownWord(verb, VERBS)
    const vm = BUILT_VMS.find((each) => each === name)
    if (vm === undefined)
      throw name === undefined
        ? cliError("cli.missing_argument", { takes: BUILT_VMS.join(" or ") })
        : unknownWord(name, BUILT_VMS)
    const { version, out, cache, json } = flags
    const say = (step: string) => terminal.note(`serac: ${step}\n`)
    const { path: file, ...facts } = await buildPlugin({ vm, version, out, cache, env: terminal.env, say })
    await terminal.print(json ? `${printJson({ vm, file, ...facts })}\n` : factLines({ Plugin: file, VM: vm, ...shown(facts) }))
  },
})

function unknownWord(action: string, known: readonly string[]) {
  const didYouMean = nearest(action, known)
  return cliError("cli.unknown_action", {
    command: "plugin",
    action,
    ...(didYouMean ? { didYouMean } : { known: known.join(" ") }),
  })
}

/** What a plugin does with the clock of a private chain, for people. */
const CLOCKS = { stops: "moves and stops", moves: "moves", none: "not moved" }

const shown = ({ version, protocol, clock }: PluginVersion) => ({
  Version: version,
  Protocol: String(protocol),
  Clock: CLOCKS[clock],
})

async function list(dir: string, json: boolean, terminal: Terminal): Promise<void> {
  const plugins = await Promise.all(
    pluginsIn(dir).map(async ({ vmID, path: file }) => {
      const found = { vm: vmName(vmID), vmID: idText(vmID), file }
      try {
        const onFault = () => {}
        return { ...found, ...(await pluginVersion({ path: requirePlugin(dir, vmID).path, pluginProtocol: "any", onFault })) }
      } catch (error) {
        return { ...found, reason: (error as Error).message }
      }
    }),
  )
  if (json) return terminal.print(`${printJson(plugins)}\n`)
  if (plugins.length === 0) return terminal.print(`No plugin is in ${dir}.\n`)
  const cellOf = (title: keyof ReturnType<typeof shown>) => ({
    title,
    cell: (each: (typeof plugins)[number]) => ("clock" in each ? shown(each)[title] : ""),
  })
  const table = textTable(
    [
      { title: "VM", cell: ({ vm }) => vm },
      ...(["Version", "Protocol", "Clock"] as const).map(cellOf),
      { title: "File", cell: ({ file }) => file },
      { title: "Reason", cell: (each) => ("reason" in each ? each.reason : "") },
    ],
    plugins,
  )
  await terminal.print(table)
}
