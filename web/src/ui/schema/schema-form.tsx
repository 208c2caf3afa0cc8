import { useCallback, useState } from 'react'
import { Button } from '../buttons/button.tsx'
import { useUiMessages } from '../ui-messages.ts'
import { BrokenJsonProvider, type CountBroken } from './broken-json.ts'
import { RawJson } from './raw-json.tsx'
import { SchemaPart } from './schema-part.tsx'
import styles from './schema.module.css'
import type { Json, Schema } from './schema-values.ts'

interface SchemaFormProps {
  readonly label: string
  readonly schema: Schema
  readonly value: Json
  readonly onChange: (value: Json) => void
  /** Counts fields with invalid JSON: their text is not in the value, so it must not count as saved. */
  readonly onBroken: CountBroken
}

/** A form generated from a JSON Schema, with a raw JSON view. Changes only what the user edits. */
export function SchemaForm({ label, schema, value, onChange, onBroken }: SchemaFormProps) {
  const messages = useUiMessages()
  const [isRaw, setRaw] = useState(false)
  const [broken, setBroken] = useState(0)
  const count = useCallback<CountBroken>(
    (by) => {
      setBroken((old) => old + by)
      onBroken(by)
    },
    [onBroken],
  )
  return (
    <div role="group" aria-label={label} className={styles.part}>
      <div>
        <Button
          tone="quiet"
          // The form cannot show invalid JSON, so it would be lost.
          disabledBecause={isRaw && broken > 0 ? messages.badJson : undefined}
          onClick={() => setRaw(!isRaw)}
        >
          {isRaw ? messages.form : messages.raw}
        </Button>
      </div>
      <BrokenJsonProvider value={count}>
        {isRaw ? (
          <RawJson label={label} value={value} onChange={onChange} />
        ) : (
          <SchemaPart
            part={{ name: label, schema, value, depth: 0, required: true }}
            onChange={(next) => onChange(next ?? null)}
          />
        )}
      </BrokenJsonProvider>
    </div>
  )
}
