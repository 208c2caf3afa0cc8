import { useState, type ComponentType } from 'react'
import { Button } from '../buttons/button.tsx'
import { Writing } from '../fields/field.tsx'
import { FieldGroup } from '../fields/field-group.tsx'
import { TextInput } from '../fields/inputs.tsx'
import { useWords } from '../words.ts'
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

/** More are edited as JSON. */
const MOST_ITEMS = 200

interface GroupProps extends PartProps {
  /** Draws what is inside: given, since it draws groups in its turn. */
  readonly each: ComponentType<PartProps>
}

/** An object with named properties. Properties that the schema does not know stay and are shown as JSON. */
export function ObjectPart({ part, onChange, each: Each }: GroupProps) {
  const { schema, depth } = part
  const value: JsonObject = isObject(part.value) ? part.value : {}
  const known = schema.properties ?? {}
  const others = Object.keys(value).filter((name) => !Object.hasOwn(known, name))
  const names = [...Object.keys(known), ...others].slice(0, MOST_ITEMS)
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

/** An object whose names are the organiser's. */
export function MapPart({ part, onChange, each: Each }: GroupProps) {
  const words = useWords()
  const { schema, depth } = part
  const value: JsonObject = isObject(part.value) ? part.value : {}
  const items = schema.additionalProperties as Schema
  const [added, setAdded] = useState('')
  const taken = Object.hasOwn(value, added)
  return (
    <FieldGroup title={schema.title ?? part.name} help={schema.description}>
      {Object.keys(value)
        .slice(0, MOST_ITEMS)
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
          <div className={styles.grow}>
            <TextInput mono label={words.itemName} value={added} onChange={setAdded} />
          </div>
          <Button
            icon="plus"
            disabledBecause={added === '' || taken ? words.itemName : undefined}
            onClick={() => {
              onChange(withProperty(value, added, initialOf(items)))
              setAdded('')
            }}
          >
            {words.addItem}
          </Button>
        </div>
      </Writing>
    </FieldGroup>
  )
}

/** The name of an entry; taken over when the field is left, so that no half-typed name collides. */
function EntryName({ name, onRename }: { readonly name: string; readonly onRename: (to: string) => void }) {
  const words = useWords()
  const [draft, setDraft] = useState(name)
  return (
    <TextInput
      mono
      label={`${words.itemName}: ${name}`}
      value={draft}
      onChange={setDraft}
      onBlur={() => (draft === '' ? setDraft(name) : onRename(draft))}
    />
  )
}

export function ArrayPart({ part, onChange, each: Each }: GroupProps) {
  const words = useWords()
  const { schema, depth } = part
  const value = (Array.isArray(part.value) ? part.value : []) as readonly Json[]
  const items = schema.items ?? {}
  return (
    <FieldGroup title={schema.title ?? part.name} help={schema.description}>
      {value.slice(0, MOST_ITEMS).map((item, at) => (
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
            disabledBecause={value.length >= MOST_ITEMS ? words.tooMany(MOST_ITEMS) : undefined}
            onClick={() => onChange([...value, initialOf(items)])}
          >
            {words.addItem}
          </Button>
        </div>
      </Writing>
    </FieldGroup>
  )
}
