import { readPage } from "./read-page.js";
import { answerJobs } from "./worker-answer.js";

/** The thread of `page-reader.ts`. */
answerJobs(readPage);
