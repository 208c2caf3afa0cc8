import { challengesMessages } from '../text/en/challenges.ts'
import { useFormat, useMessages } from '../text/messages.ts'
import { Button } from '../ui/buttons/button.tsx'
import { CopyButton } from '../ui/buttons/copy-button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Section } from '../ui/states/panel.tsx'
import type { Challenge } from './challenge.ts'
import styles from './challenge.module.css'
import { hashIn, sortOfFile, type FileSort } from './file-facts.ts'

/** Browsers drop downloads that start at the same moment. */
const BETWEEN_DOWNLOADS_MS = 600

const ICONS: Readonly<Record<FileSort, IconName>> = {
  archive: 'archive',
  picture: 'picture',
  text: 'text',
  other: 'file',
}

/** The files of a challenge, one row each. */
export function Files({ files }: { readonly files: Challenge['files'] }) {
  const text = useMessages(challengesMessages)
  if (files.length === 0) return null
  return (
    <Section
      title={text.files}
      level={3}
      className={styles.attached}
      actions={
        files.length > 1 && (
          <Button tone="quiet" icon="download" onClick={() => downloadAll(files)}>
            {text.downloadAll}
          </Button>
        )
      }
    >
      <ul className={styles.files}>
        {files.map((file) => (
          <FileRow key={`${file.name} ${file.url}`} file={file} />
        ))}
      </ul>
    </Section>
  )
}

function FileRow({ file: { name, url, size } }: { readonly file: Challenge['files'][number] }) {
  const text = useMessages(challengesMessages)
  const format = useFormat()
  const hash = hashIn(url)
  return (
    <li>
      <a href={url} download={name} rel="noopener" title={text.download(name)} className={styles.file}>
        <Icon name={ICONS[sortOfFile(name)]} />
        <bdi dir="ltr">{name}</bdi>
        <span className={styles.small}>{size === null ? text.noSize : format.bytes(size)}</span>
        <Icon name="download" />
      </a>
      {hash !== null && (
        <div className={styles.hash}>
          <code dir="ltr" title={hash}>
            sha256 {hash}
          </code>
          <CopyButton tone="quiet" text={() => hash}>
            {text.copyHash}
          </CopyButton>
        </div>
      )}
    </li>
  )
}

function downloadAll(files: Challenge['files']): void {
  for (const [at, { name, url }] of files.entries()) {
    setTimeout(() => {
      const link = document.createElement('a')
      link.href = url
      link.download = name
      link.rel = 'noopener'
      link.click()
    }, at * BETWEEN_DOWNLOADS_MS)
  }
}
