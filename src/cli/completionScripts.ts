/** The parts of a command that completion needs. */
export interface CommandCompletion {
  readonly name: string
  readonly summary: string
  /** The words that the first argument can be, if they are known. */
  readonly words: readonly string[]
  /** Flags with their help. */
  readonly flags: readonly { readonly name: string; readonly help: string }[]
}

/** The shells for which there is a script. */
export const shells = ["bash", "zsh", "fish"] as const
export type Shell = (typeof shells)[number]

/** A script that completes the names of commands and their flags. Without a command the flags are those of `node`. */
export function completionScript(shell: Shell, commands: readonly CommandCompletion[]): string {
  const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript }
  return scripts[shell](commands)
}

const wordsOf = ({ words, flags }: CommandCompletion): string => [...words, ...flags.map(({ name }) => `--${name}`)].join(" ")

function caseLines(commands: readonly CommandCompletion[]): string {
  return commands.map((each) => `    ${each.name}) words="${wordsOf(each)}" ;;`).join("\n")
}

const defaultWords = (commands: readonly CommandCompletion[]): string => {
  const node = commands.find(({ name }) => name === "node")
  return node ? wordsOf(node) : ""
}

function bashScript(commands: readonly CommandCompletion[]): string {
  return `# bash completion for serac. Use: source <(serac completions bash)
_serac() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words
  case "\${COMP_WORDS[1]}" in
${caseLines(commands)}
    *) words="${defaultWords(commands)}" ;;
  esac
  [[ $COMP_CWORD -eq 1 && $word != -* ]] && words="help ${commands.map(({ name }) => name).join(" ")}"
  [[ \${COMP_WORDS[1]} == help && $COMP_CWORD -eq 2 ]] && words="${commands.map(({ name }) => name).join(" ")}"
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _serac serac
`
}

function zshScript(commands: readonly CommandCompletion[]): string {
  const listed = commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`).join("\n")
  const cases = commands.map((each) => `    ${each.name}) flags=(${wordsOf(each)}) ;;`).join("\n")
  return `#compdef serac
# zsh completion for serac. Use: source <(serac completions zsh)
_serac() {
  local -a commands=(
${listed}
  )
  local -a flags
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe command commands
    return
  fi
  case $words[2] in
${cases}
    *) flags=(${defaultWords(commands)}) ;;
  esac
  compadd -- $flags
  _files
}
compdef _serac serac
`
}

function fishScript(commands: readonly CommandCompletion[]): string {
  const lines = ["# fish completion for serac. Use: serac completions fish | source", "complete -c serac -f"]
  const names = commands.map(({ name }) => name).join(" ")
  for (const { name, summary } of commands) {
    lines.push(`complete -c serac -n ${quoted(`not __fish_seen_subcommand_from ${names}`)} -a ${name} -d ${quoted(summary)}`)
  }
  for (const { name, words, flags } of commands) {
    const isThis = quoted(`__fish_seen_subcommand_from ${name}`)
    if (words.length > 0) lines.push(`complete -c serac -n ${isThis} -a ${quoted(words.join(" "))}`)
    for (const flag of flags) {
      const help = flag.help === "" ? "" : ` -d ${quoted(flag.help)}`
      lines.push(`complete -c serac -n ${isThis} -l ${flag.name}${help}`)
    }
  }
  return `${lines.join("\n")}\n`
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'"'"'`)}'`
