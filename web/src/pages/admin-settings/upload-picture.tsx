import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { RequestFailure } from '../../api/failure.ts'
import { uploadFile } from '../../api/upload.ts'
import { useMay } from '../../api/use-contest.ts'
import { adminSettingsMessages } from '../../text/en/admin-settings.ts'
import { useErrorText, useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { FileInput } from '../../ui/upload/file-input.tsx'
import styles from './settings.module.css'

/** Every visitor loads these images, many at the same time. */
const MAX_BYTES = 1_000_000

interface UploadPictureProps {
  /** Description of the image, for the button label. */
  readonly name: string
  readonly onStored: (address: string) => void
}

/** Uploads an image and returns its URL. Only shown with the permission to upload. */
export function UploadPicture({ name, onStored }: UploadPictureProps) {
  const text = useMessages(adminSettingsMessages)
  const errorText = useErrorText('once')
  const mayWrite = useMay('challsWrite')
  const input = useRef<HTMLInputElement>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const left = useRef(new AbortController())
  useEffect(() => {
    const abort = new AbortController()
    left.current = abort
    return () => abort.abort()
  }, [])
  const upload = useMutation({
    mutationFn: async (file: File) => {
      setFailure(null)
      try {
        return (await uploadFile(file, { signal: left.current.signal })).url
      } catch (error) {
        if (!left.current.signal.aborted)
          setFailure(error instanceof RequestFailure ? errorText(error) : text.unreadable)
        return null
      }
    },
    // Of the latest render: the form can change during the upload.
    onSuccess: (url) => url !== null && onStored(url),
  })
  if (!mayWrite) return null
  const take = (file: File) => {
    if (file.size > MAX_BYTES) setFailure(text.largePicture(file.name))
    else upload.mutate(file)
  }
  return (
    <div className={styles.actions}>
      <FileInput ref={input} accept="image/*" onFiles={([file]) => file && take(file)} />
      <Button
        icon="upload"
        busy={upload.isPending}
        aria-label={text.uploadOf(name)}
        onClick={() => input.current?.click()}
      >
        {text.upload}
      </Button>
      <span role="alert">{failure}</span>
    </div>
  )
}
