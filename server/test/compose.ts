import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

export interface ComposeService {
  readonly image: string
  readonly environment?: Readonly<Record<string, string>>
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly [option: string]: unknown
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly [section: string]: unknown
}

export const composeFolder = fileURLToPath(new URL('../../deploy/compose/', import.meta.url))

export type Variables = Readonly<Record<string, string>>

const VARIABLE = /\$\{(\w+)(?:(:[-+?])([^}]*))?\}/g

/** The names of the variables that the file uses. */
export function composeVariables(): string[] {
  return [...new Set([...composeText().matchAll(VARIABLE)].map(([, name = '']) => name))]
}

/** The Compose file with its variables replaced. Throws for a missing variable that is required. */
export function readCompose(variables: Variables): ComposeFile {
  return replaceIn(parse(composeText(), { merge: true }), variables) as ComposeFile
}

/** Replaces in the parsed file, as Compose does: an empty value is an empty text, not null. */
function replaceIn(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') return replaced(value, variables)
  if (Array.isArray(value)) return value.map((each) => replaceIn(each, variables))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaceIn(each, variables)]))
}

function replaced(text: string, variables: Variables): string {
  return text.replaceAll(VARIABLE, (...[, name, rule = ':-', other = '']: string[]) => {
    const value = variables[name ?? ''] ?? ''
    if (rule === ':+') return value && other
    if (rule === ':?' && value === '') throw new Error(`${name}: ${other}`)
    return value || (rule === ':-' ? other : '')
  })
}

/** The variables of `.env.example` and their values; those in comments are included. */
export function exampleVariables(): Variables {
  const text = readFileSync(`${composeFolder}.env.example`, 'utf8')
  const lines = text.matchAll(/^(?:# )?([A-Z][A-Z_]+)=(.*)$/gm)
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]))
}

function composeText(): string {
  return readFileSync(`${composeFolder}compose.yaml`, 'utf8')
}
