import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { COMMON } from './manifest.ts'

const NAME = 'virtual:common'

/** Makes `import 'virtual:common'` import the modules of the manifest that belong to the first files. */
export function commonModules(): Plugin {
  const paths = COMMON.map((path) =>
    path.startsWith('src/') ? fileURLToPath(new URL(`../${path}`, import.meta.url)) : path,
  )
  return {
    name: 'pennant-common-modules',
    resolveId: (source) => (source === NAME ? `\0${NAME}` : null),
    load: (id) =>
      id === `\0${NAME}` ? paths.map((path) => `import ${JSON.stringify(path)}`).join('\n') : null,
  }
}
