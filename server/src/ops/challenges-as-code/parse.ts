import { parseLenient, type LenientValue } from '../../features/organisers/archives/lenient-yaml.ts'
import { isToml, lineInToml, parseToml } from './formats/toml.ts'

/** Parses a document or a project file of another tool, which is TOML where its name says so. */
export async function parseForeign(
  file: string,
  source: string,
): Promise<LenientValue | { readonly error: string }> {
  if (!isToml(file)) return await parseLenient(source)
  const [typed, text] = [await parseToml(source), await parseToml(source, { scalars: 'text' })]
  if ('error' in typed) return typed
  if ('error' in text) return text
  return {
    typed: typed.value,
    text: text.value,
    warnings: [],
    lineOf: (path) => lineInToml(source, path),
  }
}
