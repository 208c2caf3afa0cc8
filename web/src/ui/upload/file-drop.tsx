import { useRef, useState, type DragEvent, type ReactNode } from 'react'
import { Button, IconButton } from '../buttons/button.tsx'
import { cx } from '../cx.ts'
import { sizeNumbers, sizeText } from '../../text/intl-text.ts'
import { byLocale } from '../../text/page-locale.ts'
import { useUiMessages } from '../ui-messages.ts'
import { FileInput } from './file-input.tsx'
import styles from './upload.module.css'

const MAX_FILES = 50
const numbers = byLocale(sizeNumbers)

interface FileDropProps {
  readonly label: string
  /** Called with the files within the size limit. */
  readonly onFiles: (files: File[]) => void
  /** Bytes. */
  readonly maxSize: number
  readonly multiple?: boolean
  /** As in `<input accept>`. */
  readonly accept?: string
}

/** Accepts files by button, drag and drop or paste. Sizes are checked before the upload. */
export function FileDrop({ label, onFiles, maxSize, multiple = false, accept }: FileDropProps) {
  const messages = useUiMessages()
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [refused, setRefused] = useState<readonly string[]>([])
  const take = (list: readonly File[]) => {
    const files = list.slice(0, multiple ? MAX_FILES : 1)
    const large = files.filter(({ size }) => size > maxSize)
    const cut = list.length > MAX_FILES ? [messages.tooMany(MAX_FILES)] : []
    setRefused([...cut, ...large.map(({ name }) => messages.tooLarge(name, sizeText(maxSize, numbers())))])
    const good = files.filter(({ size }) => size <= maxSize)
    if (good.length > 0) onFiles(good)
  }
  const drag = (event: DragEvent, inside: boolean) => {
    event.preventDefault()
    setOver(inside)
  }
  return (
    <div
      role="group"
      aria-label={label}
      className={cx(styles.drop, over && styles.over)}
      onDragOver={(event) => drag(event, true)}
      onDragLeave={(event) => drag(event, false)}
      onDrop={(event) => {
        drag(event, false)
        take(Array.from(event.dataTransfer.files))
      }}
      onPaste={(event) => take(Array.from(event.clipboardData.files))}
    >
      <FileInput ref={input} multiple={multiple} accept={accept} onFiles={take} />
      <span>{multiple ? messages.dropHere : messages.dropOneHere}</span>
      <Button icon="upload" onClick={() => input.current?.click()}>
        {multiple ? messages.chooseFiles : messages.chooseFile}
      </Button>
      <ul role="alert" className={styles.refused}>
        {refused.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  )
}

interface UploadRowProps {
  readonly name: string
  /** Bytes. */
  readonly size: number
  readonly state: 'queued' | 'sending' | 'stored' | 'failed'
  /** 0 to 1, during the upload. */
  readonly progress?: number
  readonly error?: string | undefined
  readonly onCancel?: () => void
  readonly onRetry?: (() => void) | undefined
  readonly actions?: ReactNode
}

/** One file being uploaded. */
export function UploadRow({
  name,
  size,
  state,
  progress = 0,
  error,
  onCancel,
  onRetry,
  actions,
}: UploadRowProps) {
  const messages = useUiMessages()
  const percent = Math.floor(progress * 100)
  const said = {
    queued: messages.queued,
    sending: messages.uploading(percent),
    stored: messages.uploaded,
    failed: messages.failed,
  }
  return (
    <div className={styles.row}>
      <bdi className={styles.name}>{name}</bdi>
      <span className="pn-muted pn-digits">{sizeText(size, numbers())}</span>
      {state === 'sending' && <progress value={progress} max={1} aria-label={name} />}
      <span role="status" className={cx(state === 'failed' ? 'pn-bad' : 'pn-muted pn-digits')}>
        {state === 'failed' ? (error ?? said.failed) : said[state]}
      </span>
      {state === 'failed' && onRetry && (
        <Button icon="refresh" onClick={onRetry}>
          {messages.retry}
        </Button>
      )}
      {(state === 'queued' || state === 'sending') && onCancel && (
        <IconButton icon="close" label={`${messages.cancel}: ${name}`} onClick={onCancel} />
      )}
      {actions}
    </div>
  )
}
