-- Texts of clients lose personal data and secrets before they are stored, and paths their variable
-- parts.

ALTER TABLE {database}.events {on_cluster}
    COMMENT COLUMN event_type 'content: Name of a custom event, scrubbed, else empty',
    COMMENT COLUMN page 'content: Path, without query, fragment and parts that look like an id or a person',
    COMMENT COLUMN page_title 'content: Title of the page, scrubbed',
    COMMENT COLUMN entry_page 'content: Page of the arrival, in the same form as page',
    COMMENT COLUMN utm_source 'content: Campaign tag of the arrival, scrubbed',
    COMMENT COLUMN utm_medium 'content: Campaign tag of the arrival, scrubbed',
    COMMENT COLUMN utm_campaign 'content: Campaign tag of the arrival, scrubbed',
    COMMENT COLUMN utm_term 'content: Campaign tag of the arrival, scrubbed',
    COMMENT COLUMN utm_content 'content: Campaign tag of the arrival, scrubbed',
    COMMENT COLUMN element 'content: What was clicked, scrubbed',
    COMMENT COLUMN element_category 'content: Kind of the clicked element, scrubbed',
    COMMENT COLUMN element_id 'content: Id of the clicked element, scrubbed',
    COMMENT COLUMN element_class 'content: Class of the clicked element, scrubbed',
    COMMENT COLUMN event_data 'content: JSON text of a custom event, bounded, scrubbed in its values and names';
