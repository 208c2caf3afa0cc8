import { useState, type ReactNode } from 'react'
import { Textarea } from '../fields/inputs.tsx'
import { useUiMessages } from '../ui-messages.ts'
import { useBrokenJson } from './broken-json.ts'
import { isEqual, type Json } from './schema-values.ts'

interface RawJsonProps {
  readonly label: string
  readonly value: Json
  readonly onChange: (value: Json) => void
  readonly help?: ReactNode
}

/** Edits a value as JSON. Invalid JSON stays in the field and does not change the value. */
export function RawJson({ label, value, onChange, help }: RawJsonProps) {
  const messages = useUiMessages()
  const [draft, setDraft] = useState<string | null>(null)
  const parsed = draft === null ? value : parse(draft)
  useBrokenJson(parsed === undefined)
  // If the value was changed elsewhere, the typed text is out of date.
  const text =
    draft !== null && (parsed === undefined || isEqual(parsed, value))
      ? draft
      : JSON.stringify(value, null, 2)
  return (
    <Textarea
      mono
      label={label}
      help={help}
      rows={Math.min(20, Math.max(3, text.split('\n').length))}
      value={text}
      error={parsed === undefined ? messages.badJson : undefined}
      onChange={(next) => {
        setDraft(next)
        const now = parse(next)
        if (now !== undefined) onChange(now)
      }}
    />
  )
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
