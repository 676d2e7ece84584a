import { command, type ListedCommand } from "../command.js"
import { completionScript, type Shell, shells } from "../completionScripts.js"
import { configurationFlags } from "../configuration.js"
import { cliError } from "../errors.js"

/** `serac completions`: prints a script for a shell that completes these commands. */
export const completionsCommand = (commands: readonly ListedCommand[]) =>
  command({
    takes: "bash | zsh | fish",
    count: [1, 1],
    about: `
Prints a script that completes the commands of serac in a shell, their flags, and the first argument if its words are known, such as methods. Flags of AvalancheGo that have no effect are omitted.`,
    examples: [
      { call: "source <(serac completions bash)", does: "in ~/.bashrc" },
      { call: "serac completions fish > ~/.config/fish/completions/serac.fish", does: "for fish" },
    ],
    flags: {},
    words: shells,
    async run({ args: [shell = ""] }, terminal) {
      if (!shells.includes(shell as Shell)) throw cliError("cli.unknown_action", { action: shell, known: shells.join(", ") })
      const completed = await Promise.all(
        commands.map(async ({ name, summary, load }) => {
          const { flags, words = [] } = await load()
          const shown = Object.entries({ ...flags, ...configurationFlags }).filter(([, { help }]) => help !== "")
          return { name, summary, words, flags: shown.map(([flag, { help }]) => ({ name: flag, help })) }
        }),
      )
      await terminal.print(completionScript(shell as Shell, completed))
    },
  })
