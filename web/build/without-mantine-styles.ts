import type { Plugin } from 'vite'

const PARTS = ['MantineCssVariables', 'MantineClasses']

/**
 * Keeps out of the first load what would write Mantine's own style elements. Both are switched off where its provider
 * stands, since the site's policy forbids them, yet come along with it. Fails when Mantine keeps them elsewhere.
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
