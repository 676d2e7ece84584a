import { idText } from "../core/types/id.js"
import { type Caller, type Endpoint, handle } from "./call/dispatch.js"
import type { Reply } from "./call/reply.js"
import { Contexts, type ContextsOptions } from "./contexts.js"
import { discover } from "./discover.js"
import { type Check, HealthMonitor, type HealthPort } from "./health/monitor.js"
import { type Interface, interfaces, type ServiceName } from "./interfaces.js"
import type { AnyMethod } from "./method.js"
import type { Dialect } from "./schema/param.js"

/** What an API is made of. */
export interface ApiOptions extends Omit<ContextsOptions, "ports"> {
  /** Which services are there; `keystore` and `dev` need their ports. */
  readonly services: readonly ServiceName[]
  /** Refuses what speaks of this very node and the whole keystore; `dev` is not there at all. */
  readonly isPublic: boolean
  /** What the handlers of some services are given besides: `{ keystore, dev }`. */
  readonly ports?: object
  /** False while the chain is not ready to be asked. */
  isReady(): boolean
  /** What else can be ill, besides not being ready. */
  readonly checks?: readonly Check[]
  /** Told of faults of ours. */
  onFault?(error: unknown, method: string): void
}

/** The API without a transport: paths, and what answers there. */
export class Api {
  readonly options: ApiOptions
  readonly contexts: Contexts
  readonly health: HealthPort
  /** By path. */
  readonly endpoints: ReadonlyMap<string, Endpoint>
  /** Told of each call, by whoever counts them: the method, how long it took in seconds, whether it failed. */
  observe: (method: string, seconds: number, hasFailed: boolean) => void = () => {}

  constructor(options: ApiOptions) {
    this.options = options
    this.health = new HealthMonitor([readyCheck(options), ...(options.checks ?? [])], nowNanoseconds)
    this.contexts = new Contexts({ ...contextOptions(options), ports: { ...options.ports, health: this.health } })
    this.endpoints = this.#endpoints()
  }

  get dialect(): Dialect {
    return this.options.dialect
  }

  /** Answers a body sent to a path; `undefined` where nothing is. */
  handle(path: string, body: Uint8Array, caller?: Caller): Reply | Promise<Reply> | undefined {
    const endpoint = this.endpoints.get(path)
    return endpoint && handle(body, endpoint, caller)
  }

  close(): void {
    this.contexts.close()
  }

  #endpoints(): Map<string, Endpoint> {
    const endpoints = new Map<string, Endpoint>()
    for (const each of this.#served()) {
      const endpoint = this.#endpoint(each)
      for (const path of this.#pathsOf(each)) endpoints.set(path, endpoint)
    }
    return endpoints
  }

  #served(): readonly Interface[] {
    const { services, isPublic, dialect } = this.options
    // A closed keystore still says so in our dialect; in AvalancheGo's it is simply not there.
    const isServed = (name: ServiceName) => {
      if (isPublic && name === "dev") return false
      return !(isPublic && name === "keystore" && dialect === "avalanchego")
    }
    return services.filter(isServed).map((name) => interfaces[name])
  }

  #pathsOf({ service, paths }: Interface): readonly string[] {
    const xChainID = idText(this.options.node.genesis.xChainID)
    return service === "avm" ? [...paths, `/ext/bc/${xChainID}`] : paths
  }

  #endpoint({ service, methods }: Interface): Endpoint {
    const { dialect, isPublic, onFault } = this.options
    const all: readonly AnyMethod[] = [...methods, discover]
    return {
      service,
      methods: new Map(all.map((method) => [method.name, method])),
      dialect,
      isPublic,
      isClosed: isPublic && service === "keystore",
      open: () => (service === "dev" ? this.contexts.openUnheld() : this.contexts.open()),
      pathOf,
      observe: (...call) => this.observe(...call),
      ...(onFault ? { onFault } : {}),
    }
  }
}

function contextOptions({ dialect, rules, node, snapshot }: ApiOptions): Omit<ContextsOptions, "ports"> {
  return { dialect, rules, node, snapshot }
}

/** Where a method is served. */
function pathOf(method: string): string | undefined {
  const found = Object.values<Interface>(interfaces).find(({ methods }) => methods.some(({ name }) => name === method))
  return found?.paths[0]
}

/** AvalancheGo lists the subnets that are not yet bootstrapped. */
function readyCheck({ isReady }: ApiOptions): Check {
  return {
    name: "bootstrapped",
    questions: ["health", "readiness"],
    run() {
      if (!isReady()) throw new Error("subnets not bootstrapped")
      return []
    },
  }
}

function nowNanoseconds(): bigint {
  return BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n
}
