import type { ComponentChildren } from "preact"
import { useEffect, useMemo } from "preact/hooks"
import { isObject, type JsonObject } from "../data/decoded.js"
import { durationText, grouped, shortened, visibleText } from "../data/format.js"
import type { Json } from "../data/rpc.js"
import { Amount, Copy, IdLink, Time } from "./values.js"

/** Members that are amounts of nAVAX. */
const AMOUNTS =
  /^(amount|balance|fee|stakeAmount|potentialReward|accruedDelegateeReward|restakedValidationRewards|restakedDelegateeRewards|burned)$/

/** Members that are Unix seconds; 0 means none. */
const TIMES = /^(time|startTime|endTime|start|end|locktime|expiry|stakeableLocktime|timestamp)$/

/** Members that are shares in millionths. */
const SHARES = /shares$/i

/** Members that are a number of seconds. */
const DURATIONS = /^(period|nextPeriod|duration|minStakeDuration|maxStakeDuration)$/

/** Returns how a number is shown, by the name of its member; `undefined` for a plain number. */
function numberText(name: string, value: string | number | bigint): ComponentChildren {
  if (AMOUNTS.test(name)) return <Amount nanos={value} exact />
  if (TIMES.test(name)) return Number(value) === 0 ? <span class="quiet">none</span> : <Time at={Number(value)} both />
  if (SHARES.test(name)) return `${Number(value) / 10_000} %`
  return DURATIONS.test(name) ? durationText(Number(value)) : undefined
}

/** The view of the object that a member, or each item of a list, names. */
const VIEWS: Readonly<Record<string, string>> = {
  txID: "tx",
  stakerTxID: "tx",
  parentID: "block",
  blockID: "block",
  subnetID: "subnet",
  nodeID: "validator",
  validationID: "l1validator",
}

/** Shows every member of a JSON value with its name. The name determines the format of the value. */
export function JsonTree({ value }: { readonly value: JsonObject }) {
  return (
    <dl class="facts">
      {Object.entries(value).map(([name, each]) => (
        <div class="fact" key={name}>
          <dt>{name}</dt>
          <dd>
            <Value name={name} value={each} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Shows one value. Texts of the chain are text nodes, whatever their content. */
export function Value({ name, value }: { readonly name: string; readonly value: Json }): ComponentChildren {
  if (value === null) return <span class="quiet">none</span>
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (Array.isArray(value)) return <Items name={name} items={value as readonly Json[]} />
  if (isObject(value)) return <JsonTree value={value} />
  // The API writes most integers as text.
  const shown = typeof value === "string" && !/^\d+$/.test(value) ? undefined : numberText(name, value as string)
  if (shown !== undefined) return shown
  if (typeof value === "string") return <Text name={name} text={value} />
  return name === "networkID" ? String(value) : grouped(value as number)
}

function Items({ name, items }: { readonly name: string; readonly items: readonly Json[] }) {
  if (items.length === 0) return <span class="quiet">none</span>
  if (items.every((each) => typeof each === "number")) return <>{items.join(", ")}</>
  return (
    <ol class="items">
      {items.map((each, i) => (
        <li key={i}>
          <Value name={name} value={each} />
        </li>
      ))}
    </ol>
  )
}

function Text({ name, text }: { readonly name: string; readonly text: string }) {
  const view = VIEWS[name.replace(/s$/, "")]
  if (/^P-[a-z]+1[a-z0-9]+$/.test(text)) return <IdLink view="address" id={text} whole />
  if (view !== undefined && !/^1{32}/.test(text)) return <IdLink view={view} id={text} whole />
  if (name === "memo") return <Memo hex={text} />
  if (text.length > LONG) return <LongText name={name} text={text} />
  return (
    <span class={/^\S{20,}$/.test(text) ? "text long" : "text"}>
      {text === "" ? <span class="quiet">empty</span> : visibleText(text)} {text.length > 20 && <Copy text={text} />}
    </span>
  )
}

/** The number of characters from which a text is not shown whole. */
const LONG = 4000

/** The beginning of a text, which can be saved as a file. */
function LongText({ name, text }: { readonly name: string; readonly text: string }) {
  const url = useMemo(() => URL.createObjectURL(new Blob([text])), [text])
  useEffect(() => () => URL.revokeObjectURL(url), [url])
  return (
    <>
      <code>{shortened(text)}</code> <Copy text={text} />{" "}
      <a href={url} download={`${name}.txt`}>
        Save
      </a>
    </>
  )
}

/** A memo as the text that it may be, and as hex. */
function Memo({ hex }: { readonly hex: string }) {
  const digits = hex.replace(/^0x/, "")
  if (digits === "") return <span class="quiet">empty</span>
  const bytes = Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  const text = new TextDecoder().decode(bytes)
  const isText = !text.includes("\ufffd")
  return (
    <span class="text">
      {isText && <>“{visibleText(text)}” </>}
      <span class="quiet">{hex}</span>
    </span>
  )
}
