import type { Json, Schema } from './schema-values.ts'

export interface Part {
  readonly name: string
  readonly schema: Schema
  readonly value: Json | undefined
  readonly depth: number
  readonly required: boolean
}

export interface PartProps {
  readonly part: Part
  /** `undefined` removes the value. */
  readonly onChange: (value: Json | undefined) => void
}
