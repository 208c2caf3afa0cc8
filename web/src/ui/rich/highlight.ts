import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import cpp from 'highlight.js/lib/languages/cpp'
import diff from 'highlight.js/lib/languages/diff'
import dockerfile from 'highlight.js/lib/languages/dockerfile'
import go from 'highlight.js/lib/languages/go'
import http from 'highlight.js/lib/languages/http'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import x86asm from 'highlight.js/lib/languages/x86asm'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import createPurifier from 'dompurify'
import './highlight.css'

const languages = {
  bash,
  c,
  cpp,
  diff,
  dockerfile,
  go,
  http,
  ini,
  java,
  javascript,
  json,
  php,
  python,
  ruby,
  rust,
  sql,
  typescript,
  x86asm,
  xml,
  yaml,
}
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language)
hljs.registerAliases(['asm', 'nasm'], { languageName: 'x86asm' })

/** Longer code stays plain: colouring it would hold up the page. */
const MAX_CHARACTERS = 20_000

/** Colours code in place. Neither its text nor its size changes. */
export function highlight(blocks: Iterable<HTMLElement>): void {
  for (const block of blocks) {
    const language = block.dataset['pnCode'] ?? ''
    const source = block.textContent
    if (!hljs.getLanguage(language) || source.length > MAX_CHARACTERS) continue
    const { value } = hljs.highlight(source, { language, ignoreIllegals: true })
    block.replaceChildren(
      createPurifier.sanitize(value, {
        ALLOWED_TAGS: ['span'],
        ALLOWED_ATTR: ['class'],
        RETURN_DOM_FRAGMENT: true,
      }),
    )
  }
}
