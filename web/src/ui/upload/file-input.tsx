import type { Ref } from 'react'

interface FileInputProps {
  /** What opens the browser's choice: `ref.current.click()`. */
  readonly ref: Ref<HTMLInputElement>
  readonly onFiles: (files: readonly File[]) => void
  readonly multiple?: boolean
  /** As in `<input accept>`. */
  readonly accept?: string | undefined
}

/** Files of this device, chosen by a button of another look. */
export function FileInput({ onFiles, ...props }: FileInputProps) {
  return (
    <input
      {...props}
      type="file"
      hidden
      onChange={({ currentTarget }) => {
        onFiles(Array.from(currentTarget.files ?? []))
        // The same file may be chosen again.
        currentTarget.value = ''
      }}
    />
  )
}
