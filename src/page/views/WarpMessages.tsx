import { grouped, shortened, visibleText } from "../data/format.js"
import { hrefOf } from "../data/route.js"
import type { RelayedMessage, WarpMessage } from "../data/warp.js"
import { JsonTree } from "../parts/JsonTree.js"
import { Copy, Fact, Facts, IdLink } from "../parts/values.js"

interface Names {
  /** The names of the L1s of this node by their blockchain IDs. */
  readonly names: ReadonlyMap<string, string>
}

/** The Warp messages that an L1 sent and received, with their way: contract, signatures, delivery. */
export function WarpMessages({ messages, names }: Names & { readonly messages: readonly WarpMessage[] }) {
  if (messages.length === 0) return null
  return (
    <section class="sheet" aria-label="Warp messages">
      <h2>Warp messages</h2>
      {messages.map((message) => (
        <Message key={`${message.id} ${message.tx}`} message={message} names={names} />
      ))}
    </section>
  )
}

function Message({ message, names }: Names & { readonly message: WarpMessage }) {
  const { id, isSent, height, tx, sourceChainID, contract, members, relayed } = message
  const title = relayed ? `ICM message ${grouped(relayed.nonce)}` : (members.kind ?? "Message")
  return (
    <details>
      <summary>
        {isSent ? "Sent" : "Received"} in block {grouped(height)}: {String(title)}
        {relayed && <State relayed={relayed} />}
      </summary>
      <Facts>
        <Fact name="Message">
          <Hash text={id} />
        </Fact>
        <Fact name="From">
          {contract === "" ? "the P-Chain" : <Hash text={contract} />}
          {contract !== "" && (
            <>
              {" "}
              on <Chain id={sourceChainID} names={names} />
            </>
          )}
        </Fact>
        {relayed && (
          <Fact name="To">
            <Hash text={relayed.receiver} /> on <Chain id={relayed.destinationChainID} names={names} />
          </Fact>
        )}
        <Fact name={isSent ? "Sent by" : "Brought by"}>
          <Hash text={tx} />
        </Fact>
        <Signatures message={message} />
        {relayed && isSent && (
          <Fact name="Delivery">
            <State relayed={relayed} /> {relayed.deliveryTx !== undefined && <Hash text={relayed.deliveryTx} />}{" "}
            {relayed.reason !== undefined && visibleText(relayed.reason)}
          </Fact>
        )}
      </Facts>
      {members.kind !== undefined && <JsonTree value={members} />}
    </details>
  )
}

function State({ relayed: { state } }: { readonly relayed: RelayedMessage }) {
  return <span class={state === "failed" ? "bad" : state === "delivered" ? "good" : "quiet"}> {state}</span>
}

/** Who signed a message. The names are known if the node relayed it. */
function Signatures({ message: { signatures, isSent, relayed } }: { readonly message: WarpMessage }) {
  const { signers = [], totalWeight } = relayed ?? {}
  if (totalWeight === undefined) return isSent ? null : <Fact name="Signatures">{signatures}</Fact>
  const weight = signers.reduce((sum, each) => sum + BigInt(each.weight), 0n)
  return (
    <Fact name="Signatures">
      {signers.map(({ nodeID, weight: share }) => (
        <div key={nodeID}>
          <IdLink view="validator" id={nodeID} /> weight {grouped(share)}
        </div>
      ))}
      together {grouped(weight)} of {grouped(totalWeight)}
    </Fact>
  )
}

function Chain({ id, names }: Names & { readonly id: string }) {
  const name = names.get(id)
  return name === undefined ? <Hash text={id} /> : <a href={hrefOf("l1", name)}>{name}</a>
}

function Hash({ text }: { readonly text: string }) {
  return (
    <>
      <code title={text}>{shortened(text)}</code> <Copy text={text} />
    </>
  )
}
