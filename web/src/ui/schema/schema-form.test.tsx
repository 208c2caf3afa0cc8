import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { SchemaForm } from './schema-form.tsx'
import type { Json, Schema } from './schema-values.ts'

const nothing = () => {}

function drawn(schema: Schema, value: Json): string {
  return renderToStaticMarkup(
    <SchemaForm label="Settings" schema={schema} value={value} onChange={nothing} onBroken={nothing} />,
  )
}

function group(schema: Schema): Schema {
  return { description: 'What it is for.', ...schema }
}

test('every kind of group shows its description', () => {
  const cases: readonly (readonly [Schema, Json])[] = [
    [group({ type: 'object', properties: { a: { type: 'string' } } }), { a: '' }],
    [group({ type: 'object', additionalProperties: { type: 'string' } }), {}],
    [group({ type: 'array', items: { type: 'string' } }), []],
    [group({ oneOf: [{ type: 'object', properties: { kind: { const: 'a' } } }] }), { kind: 'a' }],
  ]
  for (const [schema, value] of cases) expect(drawn(schema, value)).toContain('What it is for.')
})

test('a full list says why nothing can be added', () => {
  const full = Array.from({ length: 200 }, () => '')
  expect(drawn({ type: 'array', items: { type: 'string' } }, full)).toContain('title="At most 200."')
})
