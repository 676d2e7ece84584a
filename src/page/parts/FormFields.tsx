import { addressStart, network } from "../data/network.js"
import { type FormField, type FormTexts, placeholderOf } from "../data/openrpc.js"
import { Field } from "../lab/Action.js"

/** Text with the parts between backticks as code. */
export function Sentences({ text }: { readonly text: string }) {
  return <>{text.split("`").map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))}</>
}

interface FormFieldsProps {
  readonly fields: readonly FormField[]
  readonly texts: FormTexts
  onText(key: string, text: string): void
  label(field: FormField): string
  hint(field: FormField): string
  /** The default of a field, if it is shown otherwise than the API writes it. */
  defaultOf?(field: FormField): string
  /** True if fields with the same name as a list of suggestions, `suggest-subnetID`, use it. */
  readonly suggests?: boolean
}

/** The fields of a form that a method's declaration describes. */
export function FormFields({ fields, texts, onText, label, hint, defaultOf, suggests = false }: FormFieldsProps) {
  const start = addressStart(network.use().name)
  return (
    <>
      {fields.map((field) => (
        <Field
          key={field.key}
          label={`${label(field)}${field.required ? " (required)" : ""}`}
          hint={<Sentences text={hint(field)} />}
          whole
        >
          <Control
            field={field}
            text={texts[field.key] ?? ""}
            placeholder={defaultOf?.(field) || placeholderOf(field, start)}
            list={suggests ? `suggest-${field.path.at(-1)}` : undefined}
            onText={(text) => onText(field.key, text)}
          />
        </Field>
      ))}
    </>
  )
}

interface ControlProps {
  readonly field: FormField
  readonly text: string
  readonly placeholder: string
  readonly list: string | undefined
  onText(text: string): void
}

function Control({ field: { schema, required }, text, placeholder, list, onText }: ControlProps) {
  const options = schema.enum ?? (schema.type === "boolean" ? ["true", "false"] : undefined)
  if (options) {
    return (
      <select value={text} required={required} onChange={(event) => onText(event.currentTarget.value)}>
        <option value="">{required ? "choose" : "default"}</option>
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    )
  }
  // A state is too long to be pasted.
  if (schema.description?.includes("base64")) {
    const read = async (file: File | undefined): Promise<void> => onText((await file?.text()) ?? "")
    return <input type="file" required={required} onChange={(event) => void read(event.currentTarget.files?.[0])} />
  }
  return (
    <input
      value={text}
      required={required}
      placeholder={placeholder}
      list={list}
      spellcheck={false}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  )
}
