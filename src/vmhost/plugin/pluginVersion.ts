import { GrpcClient } from "../grpc/grpcClient.js"
import { VM } from "../proto/vm_pb.js"
import { startPlugin } from "./pluginProcess.js"

/** The versions of a plugin. */
export interface PluginVersion {
  /** The version of the VM, such as `v0.8.0`. */
  readonly version: string
  readonly protocol: number
}

/** Starts a plugin to ask for its version, and ends it. Throws `vm.*` if it cannot be used. */
export async function pluginVersion(path: string, onFault: (error: unknown, where: string) => void): Promise<PluginVersion> {
  const plugin = await startPlugin({ path, onLine: () => {}, onFault })
  const vm = new GrpcClient(plugin.address)
  try {
    const { version } = await vm.call(VM.method.version, {})
    await vm.call(VM.method.shutdown, {})
    return { version, protocol: plugin.protocol }
  } finally {
    vm.close()
    await plugin.stop()
  }
}
