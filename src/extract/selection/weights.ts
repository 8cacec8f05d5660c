export const WEIGHTS: string = "";
