import type { Plugin } from 'vite'

const PARTS = ['MantineCssVariables', 'MantineClasses']

/**
 * Keeps Mantine's code that creates style elements out of the first load. The provider turns both features
 * off because the Content Security Policy forbids them, but they would still be bundled. Fails if Mantine
 * moves the code.
 */
export function withoutMantineStyles(): Plugin {
  const found = new Set<string>()
  return {
    name: 'pennant-without-mantine-styles',
    apply: 'build',
    load(id) {
      const part = PARTS.find((name) => id.endsWith(`/MantineProvider/${name}/${name}.mjs`))
      if (part === undefined) return undefined
      found.add(part)
      return `export const ${part} = () => null`
    },
    generateBundle() {
      const missing = PARTS.filter((name) => !found.has(name))
      if (missing.length > 0) this.error(`Mantine has no ${missing.join(' and no ')} where it had.`)
    },
  }
}
