import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { Section } from '../../ui/states/panel.tsx'
import styles from './challenges.module.css'
import type { Challenge } from './list-rules.ts'
import { words } from './words.ts'

/** What comes with a challenge, one row each. */
export function Files({ files }: { readonly files: Challenge['files'] }) {
  const text = useText(words)
  const format = useFormat()
  if (files.length === 0) return null
  return (
    <Section title={text.files} level={3}>
      <ul className={styles.files}>
        {files.map(({ name, url, size }) => (
          <li key={`${name} ${url}`}>
            <a
              href={url}
              download={name}
              rel="noopener"
              aria-label={text.download(name)}
              className={styles.file}
            >
              <Icon name="download" />
              <bdi dir="ltr">{name}</bdi>
              <span className={styles.author}>{size === null ? text.noSize : format.bytes(size)}</span>
            </a>
          </li>
        ))}
      </ul>
    </Section>
  )
}
