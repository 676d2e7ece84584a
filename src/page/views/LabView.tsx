import type { ComponentChildren } from "preact"
import { visibleText } from "../data/format.js"
import { network } from "../data/network.js"
import { askOpenRpc, type RpcMethod, serviceOf } from "../data/openrpc.js"
import { dev } from "../data/rpc.js"
import { useQuery } from "../data/useQuery.js"
import { Accounts } from "../lab/Accounts.js"
import { DevForm } from "../lab/DevForm.js"
import { L1s } from "../lab/L1s.js"
import { Snapshots } from "../lab/Snapshots.js"
import { Suggestions } from "../lab/Suggestions.js"
import type { Status } from "../lab/status.js"
import { TimeTravel } from "../lab/TimeTravel.js"
import { Answer, Title } from "../parts/states.js"

/** Controls of a private chain. The address may name a method whose form is opened, with values: `#/lab/setL1Weight?validationID=…`. */
export function LabView({ argument }: { readonly argument: string }) {
  if (network.use().hasLab === false) return <NoLab />
  return <Lab argument={argument} />
}

function NoLab() {
  return (
    <>
      <Title>Lab</Title>
      <p>This node does not offer a Lab: its chain is not a private one, or it is served to the public.</p>
    </>
  )
}

/** A group of forms: those of the methods whose names match and that no group before has. */
interface Group {
  readonly name: string
  readonly methods: RegExp
  /** The part that is made by hand. */
  Own?(props: { readonly status: Status }): ComponentChildren
}

const GROUPS: readonly Group[] = [
  { name: "Time", methods: /Time$/, Own: TimeTravel },
  { name: "Accounts", methods: /fund|credit|mpersonat/, Own: Accounts },
  { name: "Staking", methods: /^(?!.*L1).*(alidator|ptime|dentity|AutoRenewed)/ },
  { name: "L1", methods: /L1|Warp|elay|essages/, Own: L1s },
  { name: "Blocks and snapshots", methods: /./, Own: Snapshots },
]

/** Methods that the parts made by hand call, or that only answer what other views show. */
const NO_FORM = new Set(["status", "accounts", "pay", "advanceTime", "snapshot", "revert", "listL1s", "waitForTx"])

/** Methods that stand before the others of their group. */
const FIRST = [
  "addValidators",
  "createL1",
  "registerL1Validator",
  "setL1Weight",
  "increaseL1Balance",
  "disableL1Validator",
  "mine",
]

function placeOf(method: RpcMethod): number {
  const place = FIRST.indexOf(nameOf(method))
  return place < 0 ? FIRST.length : place
}

const nameOf = ({ name }: RpcMethod): string => name.replace("dev.", "")

const groupOf = (method: RpcMethod): Group | undefined => GROUPS.find(({ methods }) => methods.test(nameOf(method)))

async function askLab() {
  const [status, methods] = await Promise.all([dev("status"), asked()])
  const offered = methods.filter((each) => serviceOf(each) === "dev" && !NO_FORM.has(nameOf(each)))
  return { status, methods: offered.sort((a, b) => placeOf(a) - placeOf(b)) }
}

let methodsOnce: ReturnType<typeof askOpenRpc> | undefined

/** Requests the description of the API once. */
function asked(): ReturnType<typeof askOpenRpc> {
  methodsOnce ??= askOpenRpc().catch((error) => {
    methodsOnce = undefined
    throw error
  })
  return methodsOnce
}

function Lab({ argument }: { readonly argument: string }) {
  const query = useQuery("lab", askLab)
  const [opened = "", values = ""] = argument.split("?")
  return (
    <>
      <Title>Lab</Title>
      <p>This chain is private: you may move its time, make blocks and give AVAX away. Nothing here is worth anything.</p>
      <Suggestions />
      <Answer query={query}>
        {({ status, methods }) => (
          <>
            {status.halted !== undefined && (
              <p class="problem" role="alert">
                The chain cannot make its next block: {visibleText(status.halted)}. Revert or reset it, or wait: it tries again.
              </p>
            )}
            <div class="columns lab">
              {GROUPS.map((group) => (
                <section key={group.name} aria-label={group.name}>
                  <h2>{group.name}</h2>
                  {group.Own && <group.Own status={status} />}
                  {methods
                    .filter((method) => groupOf(method) === group)
                    .map((method) => (
                      <DevForm
                        key={method.name}
                        method={method}
                        given={nameOf(method) === opened ? Object.fromEntries(new URLSearchParams(values)) : undefined}
                      />
                    ))}
                </section>
              ))}
            </div>
          </>
        )}
      </Answer>
    </>
  )
}
