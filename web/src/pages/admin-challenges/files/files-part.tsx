import { useEffect, useState } from 'react'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { Button, IconButton } from '../../../ui/buttons/button.tsx'
import { FieldError, Writing } from '../../../ui/fields/field.tsx'
import { TextInput } from '../../../ui/fields/inputs.tsx'
import { EmptyState } from '../../../ui/states/messages.tsx'
import { FileDrop, UploadRow } from '../../../ui/upload/file-drop.tsx'
import shared from '../challenges.module.css'
import type { Draft } from '../draft.ts'
import { useRowKeys } from '../flags/row-keys.ts'
import type { Editor } from '../editor/use-editor.ts'
import styles from './files.module.css'
import { useUploads } from './use-uploads.ts'

/** The server's default limit. A deployment can lower it; the server then rejects larger files. */
const MAX_BYTES = 1024 ** 3

/** The files of a challenge: upload, rename, reorder and remove. */
export function FilesPart({ editor }: { readonly editor: Editor }) {
  const text = useMessages(adminChallengesMessages)
  const { draft, set, problems, mayWrite } = editor
  const { files } = draft
  const [notes, setNotes] = useState<Readonly<Record<string, string>>>({})
  const uploads = useGuardedUploads(editor, (url, note) => setNotes((old) => ({ ...old, [url]: note })))
  return (
    <div className={shared.form}>
      {files.length + uploads.uploads.length === 0 && <EmptyState isPart>{text.files.none}</EmptyState>}
      {mayWrite && <FileDrop multiple label={text.files.drop} maxSize={MAX_BYTES} onFiles={uploads.add} />}
      {uploads.surplus > 0 && <p role="alert">{text.files.tooMany(uploads.surplus)}</p>}
      {uploads.uploads.map(({ key, file, ...row }) => (
        <UploadRow
          key={key}
          name={file.name}
          size={file.size}
          state={row.state}
          progress={row.progress}
          error={row.error}
          onCancel={() => uploads.cancel(key)}
          onRetry={row.holdsFlag ? undefined : () => uploads.retry(key)}
          actions={
            row.state === 'failed' ? (
              <>
                {row.holdsFlag && (
                  <Button tone="danger" onClick={() => uploads.retry(key)}>
                    {text.files.uploadAnyway}
                  </Button>
                )}
                <Button tone="quiet" onClick={() => uploads.cancel(key)}>
                  {text.files.leaveOut}
                </Button>
              </>
            ) : (
              row.note
            )
          }
        />
      ))}
      {problems.files && <FieldError id="files-error">{problems.files}</FieldError>}
      <FileList files={files} notes={notes} onChange={(next) => set({ files: next })} />
    </div>
  )
}

/** Blocks leaving the page during uploads, because that would abort them. */
function useGuardedUploads(editor: Editor, onNote: (url: string, note: string) => void) {
  const { draft, set, setSending } = editor
  const uploads = useUploads({
    flags: staticFlags(draft),
    onStored(file, note) {
      set((now) => ({ files: withFile(now.files, file) }))
      if (note !== null) onNote(file.url, note)
    },
  })
  const isSending = uploads.uploads.some(({ state }) => state !== 'failed')
  useEffect(() => {
    setSending(isSending)
    return () => setSending(false)
  }, [isSending, setSending])
  return uploads
}

interface FileListProps {
  readonly files: Draft['files']
  /** By URL: the checks that could not be run on a file. */
  readonly notes: Readonly<Record<string, string>>
  readonly onChange: (files: Draft['files']) => void
}

function FileList({ files, notes, onChange }: FileListProps) {
  const text = useMessages(adminChallengesMessages)
  const keys = useRowKeys(files)
  const [said, setSaid] = useState('')
  const move = (at: number, to: number) => {
    onChange(moved(files, at, to))
    setSaid(text.movedTo(files[at]?.name ?? '', to + 1, files.length))
  }
  return (
    <>
      <ol className="pn-list pn-gap-3 pn-grid">
        {files.map((file, at) => (
          <FileRow
            key={keys[at]}
            file={file}
            note={notes[file.url]}
            isFirst={at === 0}
            isLast={at === files.length - 1}
            onRename={(name) => onChange(files.with(at, { ...file, name }))}
            onStep={(by) => move(at, at + by)}
            onRemove={() => onChange(files.toSpliced(at, 1))}
          />
        ))}
      </ol>
      <span role="status" className={shared.small}>
        {said}
      </span>
    </>
  )
}

interface FileRowProps {
  readonly file: Draft['files'][number]
  /** The checks that could not be run on this file. */
  readonly note: string | undefined
  readonly onRename: (name: string) => void
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onStep: (by: 1 | -1) => void
  readonly onRemove: () => void
}

function FileRow({ file: { name, url, size }, note, ...props }: FileRowProps) {
  const { isFirst, isLast, onRename, onStep, onRemove } = props
  const text = useMessages(adminChallengesMessages)
  const format = useFormat()
  return (
    <li className={styles.row}>
      <TextInput label={text.files.name} maxLength={255} value={name} onChange={onRename} />
      <a href={url} download={name} rel="noopener">
        {size === null ? text.files.noSize : format.bytes(size)}
      </a>
      <Writing>
        <span className="pn-row pn-gap-3">
          <IconButton
            icon="chevronUp"
            label={text.moveUp(name)}
            disabledBecause={isFirst ? text.isFirst : undefined}
            onClick={() => onStep(-1)}
          />
          <IconButton
            icon="chevronDown"
            label={text.moveDown(name)}
            disabledBecause={isLast ? text.isLast : undefined}
            onClick={() => onStep(1)}
          />
          <IconButton icon="trash" label={text.files.remove(name)} onClick={onRemove} />
        </span>
      </Writing>
      {note !== undefined && <p className={styles.note}>{note}</p>}
    </li>
  )
}

function staticFlags({ flags }: Draft): string[] {
  return flags.flatMap(({ provider, config }) => {
    const { flag } = config
    return provider === 'flags/static' && typeof flag === 'string' ? flag : []
  })
}

/** Adds a file once: a duplicate is ignored. */
function withFile(files: Draft['files'], file: Draft['files'][number]): Draft['files'] {
  return files.some(({ url, name }) => url === file.url && name === file.name) ? files : [...files, file]
}

function moved(files: Draft['files'], at: number, to: number): Draft['files'] {
  const file = files[at]
  return file ? files.toSpliced(at, 1).toSpliced(to, 0, file) : files
}
