import { accessSync, constants, readdirSync, realpathSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { valueOrUndefined } from "../../core/lib/invalid.js"
import { type ID, idOfName, idText, parseID, SUBNET_EVM } from "../../core/types/id.js"
import { vmError } from "../errors.js"

/** Well-known names of VMs, each of which may be given in place of an ID. */
const NAMES: Readonly<Record<string, ID>> = {
  "subnet-evm": SUBNET_EVM,
  xsvm: idOfName("xsvm"),
  coreth: idOfName("evm"),
  evm: idOfName("evm"),
}

/** The ID of coreth, the VM of the C-Chain. */
export const CORETH = NAMES.coreth as ID

/** A plugin: a VM, and the file of its program. */
export interface Plugin {
  readonly vmID: ID
  readonly path: string
}

/** Returns the VM that a text names: a well-known name, or an ID. */
export function vmIDOf(text: string): ID | undefined {
  return NAMES[text] ?? valueOrUndefined(() => parseID(text))
}

/** Returns the well-known name of a VM, or its ID as text. */
export function vmName(vmID: ID): string {
  return Object.entries(NAMES).find(([, id]) => id === vmID)?.[0] ?? idText(vmID)
}

/**
 * Lists the plugins of a directory. A file is named by its VM: an ID or a well-known name, with any extension. Other names are left out.
 * Throws `vm.bad_plugin_dir`.
 */
export function pluginsIn(dir: string): readonly Plugin[] {
  try {
    return readdirSync(dir).flatMap((name) => {
      const path = resolve(join(dir, name))
      const vmID = name.startsWith(".") ? undefined : vmIDOf(name.replace(/\.[^.]*$/, ""))
      return vmID !== undefined && statSync(path).isFile() ? [{ vmID, path }] : []
    })
  } catch (error) {
    throw vmError("vm.bad_plugin_dir", { dir, reason: (error as Error).message })
  }
}

/** Returns the file of a VM. Throws `vm.unknown_vm` with the VMs that there are, and `vm.not_executable`. */
export function requirePlugin(dir: string, vmID: ID): Plugin {
  const plugins = pluginsIn(dir)
  const plugin = plugins.find((each) => each.vmID === vmID)
  if (!plugin) throw vmError("vm.unknown_vm", { vm: idText(vmID), dir, present: plugins.map((each) => vmName(each.vmID)) })
  try {
    accessSync(plugin.path, constants.X_OK)
    return { vmID, path: realpathSync(plugin.path) }
  } catch {
    throw vmError("vm.not_executable", { path: plugin.path, remedy: `chmod +x ${plugin.path}` })
  }
}
