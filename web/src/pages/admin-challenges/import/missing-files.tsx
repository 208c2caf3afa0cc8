import { useState } from 'react'
import { RequestFailure } from '../../../api/failure.ts'
import { uploadFile } from '../../../api/upload.ts'
import { useText } from '../../../text/catalogue.ts'
import { useErrorText } from '../../../text/errors.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { FileDrop } from '../../../ui/upload/file-drop.tsx'
import shared from '../challenges.module.css'
import type { Draft } from '../draft.ts'
import { words } from '../words.ts'
import styles from './import.module.css'

/** The server tells when a file is larger than it takes. */
const MOST_BYTES = 1024 ** 3

interface Missing {
  readonly name: string
  /** Its place among the files of the challenge. */
  readonly at: number
}

interface MissingFilesProps {
  readonly missing: readonly Missing[]
  /** Null: it is left out. */
  readonly onFile: (at: number, file: Draft['files'][number] | null) => void
}

/** Files of an import that this server does not have: dropped in by name, or left out. */
export function MissingFiles({ missing, onFile }: MissingFilesProps) {
  const text = useText(words)
  const errorText = useErrorText('once')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const take = async (files: readonly File[]) => {
    setBusy(true)
    setFailure(null)
    for (const file of files) {
      const place = missing.find(({ name }) => name === file.name)
      if (!place) {
        setFailure(text.importUnknown(file.name))
        continue
      }
      try {
        onFile(place.at, await uploadFile(file))
      } catch (error) {
        if (!(error instanceof RequestFailure)) throw error
        setFailure(errorText(error))
      }
    }
    setBusy(false)
  }
  return (
    <>
      <p>{text.importMissing(missing.length)}</p>
      <ul className={styles.missing}>
        {missing.map(({ name, at }) => (
          <li key={at} className={shared.line}>
            <bdi>{name}</bdi>
            <Button tone="quiet" onClick={() => onFile(at, null)}>
              {text.importLeave}
            </Button>
          </li>
        ))}
      </ul>
      <FileDrop
        multiple
        label={text.importDrop}
        maxSize={MOST_BYTES}
        onFiles={(files) => void (busy || take(files))}
      />
      {failure !== null && <p role="alert">{failure}</p>}
    </>
  )
}
