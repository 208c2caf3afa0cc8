import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { RequestFailure } from '../../../api/failure.ts'
import { uploadFile } from '../../../api/upload.ts'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useErrorText, useMessages } from '../../../text/messages.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { FileDrop } from '../../../ui/upload/file-drop.tsx'
import type { Draft } from '../draft.ts'

/** The server rejects files over its own limit. */
const MAX_BYTES = 1024 ** 3

interface Missing {
  readonly name: string
  /** Index among the files of the challenge. */
  readonly at: number
}

interface MissingFilesProps {
  readonly missing: readonly Missing[]
  /** Null: the file is left out. */
  readonly onFile: (at: number, file: Draft['files'][number] | null) => void
}

/** Import files that this server does not have: the user adds each one or leaves it out. */
export function MissingFiles({ missing, onFile }: MissingFilesProps) {
  const text = useMessages(adminChallengesMessages)
  const errorText = useErrorText('once')
  const [failure, setFailure] = useState<string | null>(null)
  const upload = async (files: readonly File[]) => {
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
  }
  const uploading = useMutation({ mutationFn: upload })
  return (
    <>
      <p>{text.importMissing(missing.length)}</p>
      <ul className="pn-list">
        {missing.map(({ name, at }) => (
          <li key={at} className="pn-row pn-gap-3">
            <bdi>{name}</bdi>
            <Button tone="quiet" onClick={() => onFile(at, null)}>
              {text.importLeave}
            </Button>
          </li>
        ))}
      </ul>
      <FileDrop
        multiple
        label={text.importFiles}
        maxSize={MAX_BYTES}
        onFiles={(files) => void (uploading.isPending || uploading.mutate(files))}
      />
      {failure !== null && <p role="alert">{failure}</p>}
    </>
  )
}
