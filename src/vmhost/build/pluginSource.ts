import { createHash } from "node:crypto"
import type { ID } from "../../core/types/id.js"
import { vmError } from "../errors.js"
import { CORETH, vmIDOf } from "../plugin/pluginFiles.js"

/** The VMs that can be built. */
export const BUILT_VMS = ["subnet-evm", "coreth"] as const
export type BuiltVM = (typeof BUILT_VMS)[number]

/** The version that is built by default: the last release of AvalancheGo whose VMs are published as modules. */
export const DEFAULT_VERSION = "v1.14.2"

/** The source of a plugin: a published module, and a program around it. */
export interface PluginSource {
  readonly vmID: ID
  readonly module: string
  readonly version: string
  readonly program: string
}

/** The first release of AvalancheGo that has the VMs as modules of its own. */
const GRAFTED = "github.com/ava-labs/avalanchego/graft"

/**
 * Returns the source of a plugin. A version from v1 on is a release of AvalancheGo, which has its VMs as modules; one of v0 is a release of the
 * VM's own earlier module. Throws `vm.bad_version`.
 */
export function pluginSource(vm: BuiltVM, version: string): PluginSource {
  if (!/^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version)) throw vmError("vm.bad_version", { version })
  const module = version.startsWith("v0.") ? `github.com/ava-labs/${vm}` : `${GRAFTED}/${vm}`
  return { vmID: vm === "coreth" ? CORETH : (vmIDOf(vm) as ID), module, version, program: programOf(vm, module) }
}

/**
 * The program of a plugin. The published ones end where the machine allows fewer than 32,768 open files; this one goes on with as many as there
 * are.
 */
function programOf(vm: BuiltVM, module: string): string {
  const [imports, made] =
    vm === "coreth"
      ? [`"${module}/plugin/evm"\n\t"${module}/plugin/factory"`, "factory.NewPluginVM()"]
      : [`"${module}/plugin/evm"`, "&evm.VM{}"]
  return `// A program that serves ${vm} as a plugin, made by serac plugin build.
package main

import (
	"context"
	"fmt"
	"os"
	"syscall"

	"github.com/ava-labs/avalanchego/version"
	"github.com/ava-labs/avalanchego/vms/rpcchainvm"
	${imports}
)

func main() {
	evm.RegisterAllLibEVMExtras()
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		fmt.Printf("${vm} [AvalancheGo=%s, rpcchainvm=%d]\\n", version.Current, version.RPCChainVMProtocol)
		return
	}
	limit := syscall.Rlimit{}
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) == nil {
		limit.Cur = min(32768, limit.Max)
		// The plugin goes on with the limit that it has.
		_ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit)
	}
	if err := rpcchainvm.Serve(context.Background(), ${made}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
`
}

/** The name of a plugin in a cache: it is another one for another source, overlay and machine. */
export function cacheKey(vm: BuiltVM, { program, version }: PluginSource, overlay: string): string {
  const hash = createHash("sha256").update(program).update(overlay).digest("hex").slice(0, 16)
  return `${vm}-${version}-${process.platform}-${process.arch}-${hash}`
}

/** A release of genproto after its packages became modules of their own. Older ones, which some dependencies name, have them twice. */
const GENPROTO = "google.golang.org/genproto v0.0.0-20240903143218-8af14fe29dc1"

/** The `go.mod` of the program. `go` completes it. */
export const goModOf = ({ module, version }: PluginSource, goVersion: string): string =>
  `module serac/plugin\n\ngo ${goVersion}\n\nrequire (\n\t${module} ${version}\n\t${GENPROTO}\n)\n`
