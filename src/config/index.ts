export { environmentSecrets } from "./environment-secrets.js";
export { defaultIndexDirectory, type LoadOptions, loadConfig, userFile } from "./files.js";
export { type Config, type Origin, settingsFrom } from "./ladder.js";
export type { Setting, SettingPath, Settings, SettingsInput } from "./setting.js";
export { SETTING_PATHS, settingAt } from "./settings.js";
