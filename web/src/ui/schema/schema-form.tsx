import { useState } from 'react'
import { Button } from '../buttons/button.tsx'
import { useWords } from '../words.ts'
import { RawJson } from './raw-json.tsx'
import { SchemaPart } from './schema-part.tsx'
import styles from './schema.module.css'
import type { Json, Schema } from './schema-values.ts'

interface SchemaFormProps {
  readonly label: string
  readonly schema: Schema
  readonly value: Json
  readonly onChange: (value: Json) => void
}

/** A form drawn from a JSON Schema, and the same value as JSON. It changes what is edited and nothing beside it. */
export function SchemaForm({ label, schema, value, onChange }: SchemaFormProps) {
  const words = useWords()
  const [isRaw, setRaw] = useState(false)
  return (
    <div role="group" aria-label={label} className={styles.part}>
      <div>
        <Button tone="quiet" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
          {isRaw ? words.form : words.raw}
        </Button>
      </div>
      {isRaw ? (
        <RawJson label={label} value={value} onChange={onChange} />
      ) : (
        <SchemaPart
          part={{ name: label, schema, value, depth: 0, required: true }}
          onChange={(next) => onChange(next ?? null)}
        />
      )}
    </div>
  )
}
