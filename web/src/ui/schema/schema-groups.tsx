import { useState, type ComponentType } from 'react'
import { Button } from '../buttons/button.tsx'
import { Writing } from '../fields/field.tsx'
import { FieldGroup } from '../fields/field-group.tsx'
import { TextInput } from '../fields/inputs.tsx'
import { useUiMessages } from '../ui-messages.ts'
import type { PartProps } from './part-props.ts'
import styles from './schema.module.css'
import {
  initialOf,
  isObject,
  renamed,
  withProperty,
  type Json,
  type JsonObject,
  type Schema,
} from './schema-values.ts'

/** Longer arrays are edited as JSON. */
const MAX_ITEMS = 200

interface GroupProps extends PartProps {
  /** Renders the contents; passed as a prop, because the components are mutually recursive. */
  readonly each: ComponentType<PartProps>
}

/** An object with named properties. Properties that are not in the schema are kept and shown as JSON. */
export function ObjectPart({ part, onChange, each: Each }: GroupProps) {
  const { schema, depth } = part
  const value: JsonObject = isObject(part.value) ? part.value : {}
  const known = schema.properties ?? {}
  const others = Object.keys(value).filter((name) => !Object.hasOwn(known, name))
  const names = [...Object.keys(known), ...others].slice(0, MAX_ITEMS)
  return (
    <FieldGroup title={schema.title ?? part.name} help={schema.description}>
      {names.map((name) => (
        <Each
          key={name}
          part={{
            name,
            schema: known[name] ?? {},
            value: Object.hasOwn(value, name) ? value[name] : undefined,
            depth: depth + 1,
            required: schema.required?.includes(name) ?? false,
          }}
          onChange={(next) => onChange(withProperty(value, name, next))}
        />
      ))}
    </FieldGroup>
  )
}

/** An object whose keys the organiser chooses. */
export function MapPart({ part, onChange, each: Each }: GroupProps) {
  const messages = useUiMessages()
  const { schema, depth } = part
  const value: JsonObject = isObject(part.value) ? part.value : {}
  const items = schema.additionalProperties as Schema
  const [added, setAdded] = useState('')
  const taken = Object.hasOwn(value, added)
  return (
    <FieldGroup title={schema.title ?? part.name} help={schema.description}>
      {Object.keys(value)
        .slice(0, MAX_ITEMS)
        .map((name) => (
          <div key={name} className={styles.part}>
            <EntryName name={name} onRename={(to) => onChange(renamed(value, name, to) ?? value)} />
            <Each
              part={{ name, schema: items, value: value[name], depth: depth + 1, required: false }}
              onChange={(next) => onChange(withProperty(value, name, next))}
            />
          </div>
        ))}
      <Writing>
        <div className={styles.entry}>
          <div className="pn-grow">
            <TextInput mono label={messages.name} value={added} onChange={setAdded} />
          </div>
          <Button
            icon="plus"
            disabledBecause={added === '' || taken ? messages.name : undefined}
            onClick={() => {
              onChange(withProperty(value, added, initialOf(items)))
              setAdded('')
            }}
          >
            {messages.addItem}
          </Button>
        </div>
      </Writing>
    </FieldGroup>
  )
}

/** Name of an entry; applied on blur, so that a partly typed name cannot collide. */
function EntryName({ name, onRename }: { readonly name: string; readonly onRename: (to: string) => void }) {
  const messages = useUiMessages()
  const [draft, setDraft] = useState(name)
  return (
    <TextInput
      mono
      label={`${messages.name}: ${name}`}
      value={draft}
      onChange={setDraft}
      onBlur={() => (draft === '' ? setDraft(name) : onRename(draft))}
    />
  )
}

export function ArrayPart({ part, onChange, each: Each }: GroupProps) {
  const messages = useUiMessages()
  const { schema, depth } = part
  const value = (Array.isArray(part.value) ? part.value : []) as readonly Json[]
  const items = schema.items ?? {}
  return (
    <FieldGroup title={schema.title ?? part.name} help={schema.description}>
      {value.slice(0, MAX_ITEMS).map((item, at) => (
        <Each
          key={at}
          part={{
            name: `${schema.title ?? part.name} ${at + 1}`,
            schema: items,
            value: item,
            depth: depth + 1,
            required: false,
          }}
          onChange={(next) => onChange(next === undefined ? value.toSpliced(at, 1) : value.with(at, next))}
        />
      ))}
      <Writing>
        <div>
          <Button
            icon="plus"
            disabledBecause={value.length >= MAX_ITEMS ? messages.tooMany(MAX_ITEMS) : undefined}
            onClick={() => onChange([...value, initialOf(items)])}
          >
            {messages.addItem}
          </Button>
        </div>
      </Writing>
    </FieldGroup>
  )
}
