import { isMap } from './formats/translation.ts'

/** Manifests of one challenge are shorter; what follows does not matter. */
const MAX_BYTES = 64 * 1024

/** Whether any YAML document of a file is an object of Kubernetes, such as the `Challenge` of kCTF or Klodd. */
export function isManifest(text: string, value: unknown): boolean {
  if (value !== undefined) return isObject(value)
  // Several documents, or a template: only keys without indentation are of the document itself.
  return text
    .slice(0, MAX_BYTES)
    .split(/^---/m)
    .some((document) => KEYS.every((key) => key.test(document)))
}

const KEYS = [/^["']?apiVersion["']?[ \t]*:[ \t]*[^\s#]/m, /^["']?kind["']?[ \t]*:[ \t]*[^\s#]/m]

function isObject(value: unknown): boolean {
  return isMap(value) && typeof value['apiVersion'] === 'string' && typeof value['kind'] === 'string'
}
