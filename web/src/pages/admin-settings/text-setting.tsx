import { adminSettingsMessages } from '../../text/en/admin-settings.ts'
import { useMessages } from '../../text/messages.ts'
import { Textarea, TextInput } from '../../ui/fields/inputs.tsx'
import type { Values } from './draft.ts'
import { Setting } from './setting.tsx'
import { UploadPicture } from './upload-picture.tsx'
import type { SettingsForm } from './use-settings.ts'

type TextKey = { [K in keyof Values]: Values[K] extends string ? K : never }[keyof Values]

interface TextSettingProps {
  readonly form: SettingsForm
  readonly name: TextKey
  readonly max: number
  readonly help?: string
  /** `picture`: the URL of an image, which can be uploaded here. */
  readonly kind?: 'line' | 'lines' | 'address' | 'picture'
}

/** A text setting. */
export function TextSetting({ form, name, max, help, kind = 'line' }: TextSettingProps) {
  const text = useMessages(adminSettingsMessages)
  const field = {
    name,
    label: text.names[name],
    help,
    maxLength: max,
    value: form.values[name],
    error: form.errors[name],
    onChange: (value: string) => form.set({ [name]: value }),
  }
  return (
    <Setting form={form} name={name}>
      {kind === 'lines' ? (
        <Textarea {...field} counted rows={3} />
      ) : (
        <TextInput {...field} mono={kind !== 'line'} autoComplete="off" />
      )}
      {kind === 'picture' && <UploadPicture name={text.names[name]} onStored={field.onChange} />}
    </Setting>
  )
}
