import { useCallback, useState } from 'react'
import { Button } from '../buttons/button.tsx'
import { useWords } from '../words.ts'
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
  /** Counts what is typed and is no JSON: it is in no value, and must not be taken for saved. */
  readonly onBroken: CountBroken
}

/** A form drawn from a JSON Schema, and the same value as JSON. It changes what is edited and nothing beside it. */
export function SchemaForm({ label, schema, value, onChange, onBroken }: SchemaFormProps) {
  const words = useWords()
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
          // The form could not show it: it would be lost.
          disabledBecause={isRaw && broken > 0 ? words.badJson : undefined}
          onClick={() => setRaw(!isRaw)}
        >
          {isRaw ? words.form : words.raw}
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
