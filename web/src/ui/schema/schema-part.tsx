import { useState, type ComponentProps } from 'react'
import { Button } from '../buttons/button.tsx'
import { Switch } from '../fields/choices.tsx'
import { Writing } from '../fields/field.tsx'
import { NumberInput, Select, TextInput } from '../fields/inputs.tsx'
import { useUiMessages } from '../ui-messages.ts'
import { ArrayPart, MapPart, ObjectPart } from './schema-groups.tsx'
import { RawJson } from './raw-json.tsx'
import type { PartProps } from './part-props.ts'
import styles from './schema.module.css'
import {
  initialOf,
  isEqual,
  isObject,
  kindOf,
  variantOf,
  variantsOf,
  discriminatorOf,
  type Json,
} from './schema-values.ts'

/** One value of a schema, by its kind. An optional value can be added and removed. */
export function SchemaPart({ part, onChange }: PartProps) {
  const messages = useUiMessages()
  const { name, schema, value, required } = part
  const title = schema.title ?? name
  if (value === undefined) {
    return (
      <div className={styles.unset}>
        <span>
          {title} <span className="pn-muted">{schema.description ?? messages.unset}</span>
        </span>
        <Writing>
          <Button
            icon="plus"
            aria-label={messages.addNamed(title)}
            onClick={() => onChange(initialOf(schema))}
          >
            {messages.addItem}
          </Button>
        </Writing>
      </div>
    )
  }
  return (
    <div className={styles.entry}>
      <div className="pn-grow">
        <Control part={part} onChange={onChange} />
      </div>
      {!required && (
        <Writing>
          <Button
            tone="quiet"
            icon="trash"
            aria-label={messages.removeNamed(title)}
            onClick={() => onChange(undefined)}
          />
        </Writing>
      )}
    </div>
  )
}

function Control({ part, onChange }: PartProps) {
  const messages = useUiMessages()
  const { name, schema, value, depth, required } = part
  const common = { label: schema.title ?? name, help: schema.description, required }
  const kind = kindOf(schema, value, depth)
  if (kind === 'text') return <TextInput {...common} value={String(value)} onChange={onChange} />
  if (kind === 'number') {
    return (
      <SureNumber
        {...common}
        min={schema.minimum}
        max={schema.maximum}
        value={Number(value)}
        onChange={onChange}
      />
    )
  }
  if (kind === 'boolean') return <Switch {...common} checked={value === true} onChange={onChange} />
  if (kind === 'enum') {
    const at = schema.enum?.findIndex((each) => isEqual(each, value)) ?? 0
    const choices = (schema.enum ?? []).map((each, index) => ({ value: String(index), label: spell(each) }))
    return (
      <Select
        {...common}
        value={String(at)}
        choices={choices}
        onChange={(next) => onChange(schema.enum?.[Number(next)])}
      />
    )
  }
  if (kind === 'const')
    return <TextInput {...common} readOnly value={spell(value ?? null)} onChange={() => {}} />
  if (kind === 'object') return <ObjectPart each={SchemaPart} part={part} onChange={onChange} />
  if (kind === 'map') return <MapPart each={SchemaPart} part={part} onChange={onChange} />
  if (kind === 'array') return <ArrayPart each={SchemaPart} part={part} onChange={onChange} />
  if (kind === 'variant') return <VariantPart part={part} onChange={onChange} />
  return (
    <RawJson label={common.label} help={messages.keptUnchanged} value={value ?? null} onChange={onChange} />
  )
}

interface SureNumberProps extends Omit<ComponentProps<typeof NumberInput>, 'value' | 'onChange'> {
  readonly value: number
  readonly onChange: (value: number) => void
}

/** A required number: an incomplete or empty input stays in the field until it loses the focus. */
function SureNumber({ value, onChange, ...field }: SureNumberProps) {
  const [half, setHalf] = useState<number | null>()
  return (
    <NumberInput
      {...field}
      value={half === undefined ? value : half}
      onBlur={() => setHalf(undefined)}
      onChange={(next) => {
        const isNumber = next !== null && !Number.isNaN(next)
        setHalf(isNumber ? undefined : next)
        if (isNumber) onChange(next)
      }}
    />
  )
}

function VariantPart({ part, onChange }: PartProps) {
  const messages = useUiMessages()
  const { schema, value } = part
  const name = discriminatorOf(schema) ?? ''
  const variants = variantsOf(schema) ?? []
  const at = variantOf(schema, value)
  const choices = variants.map((each, index) => ({
    value: String(index),
    label: each.title ?? spell(each.properties?.[name]?.const ?? null),
  }))
  const change = (index: number) => {
    const next = initialOf(variants[index] ?? {})
    // Keep properties that both variants have; drop those of the old variant.
    const known = Object.keys(variants[index]?.properties ?? {}).filter((key) => key !== name)
    const kept = isObject(value) ? Object.entries(value).filter(([key]) => known.includes(key)) : []
    onChange(isObject(next) ? { ...next, ...Object.fromEntries(kept) } : next)
  }
  return (
    <div className={styles.part}>
      <Select
        label={`${schema.title ?? part.name}: ${messages.type}`}
        help={schema.description}
        value={String(at)}
        choices={choices}
        onChange={(index) => change(Number(index))}
      />
      <ObjectPart
        each={SchemaPart}
        part={{ ...part, schema: variants[at] ?? {}, depth: part.depth + 1 }}
        onChange={onChange}
      />
    </div>
  )
}

function spell(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
