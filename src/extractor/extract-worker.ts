import { extract } from "../extract/index.js";
import { answerJobs } from "../worker-answer.js";
import type { ExtractJob } from "./extractor.js";

/** The thread of `extractor.ts`. */
answerJobs(({ html, options }: ExtractJob) => extract(html, options));
