import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface Snippet {
  /** The heading above it. */
  readonly title: string
  readonly language: 'sh' | 'ts'
  readonly code: string
  /** `…` stands for any text. */
  readonly output: string
}

/** The snippets of docs/reference/cookbook.md in their order, each with the output that the page shows. */
export function cookbookSnippets(): Snippet[] {
  const page = readFileSync(
    fileURLToPath(new URL('../../docs/reference/cookbook.md', import.meta.url)),
    'utf8',
  )
  return page.split(/^## /m).flatMap((section) => {
    const title = section.slice(0, section.indexOf('\n'))
    const blocks = section.matchAll(/^```(sh|ts)\n([^]*?)^```\n+```text\n([^]*?)^```$/gm)
    return Array.from(blocks, ([, language, code = '', output = '']) => ({
      title,
      language: language === 'sh' ? 'sh' : 'ts',
      code,
      output,
    }))
  })
}

/** Whether the output is as the page shows it. */
export function isAsShown(output: string, shown: string): boolean {
  const parts = shown
    .trim()
    .split('…')
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('[^]*')}$`).test(output.trim())
}
